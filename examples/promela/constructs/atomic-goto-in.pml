// A goto into atomic starts it there.
byte x, y;
active proctype P() {
    goto in;
    atomic {
        x = 9;
in:     x = 1;
        y = 1
    }
}
active proctype Q() {
    x == 1;
    assert(y == 1)
}
