// So is a negative one.
byte a[3];
int i = -1;
active proctype P() {
    i = a[i]
}
