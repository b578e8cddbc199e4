// enabled(p) tells whether a process can go.
byte x;
active proctype P() {
    x == 1
}
active proctype Q() {
    assert(!enabled(0));
    x = 1
}
