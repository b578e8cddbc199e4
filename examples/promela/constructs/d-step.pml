// A d_step is one step.
byte x, y;
active proctype P() {
    d_step { x = 1; y = 1; x = 2; y = 2 }
}
active proctype Q() {
    assert(x == y && x != 1)
}
