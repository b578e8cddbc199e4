// enabled(p) is only for claims: what SPIN says.
byte x;
active proctype P() {
    x == 1
}
active proctype Q() {
    assert(!enabled(0));
    x = 1
}
