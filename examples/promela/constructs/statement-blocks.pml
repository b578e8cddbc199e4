// An expression as a statement waits until it is true.
byte x;
active proctype P() {
    x == 1;
    assert(x == 1)
}
active proctype Q() {
    x = 1
}
