// An end label makes it valid.
byte x;
active proctype P() {
end:
    x == 1
}
