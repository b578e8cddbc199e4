// An index out of range is an error.
byte a[3], i = 3;
active proctype P() {
    a[i] = 1
}
