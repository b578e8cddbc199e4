// An atomic sequence in the main part is not left in the middle.
byte x;
bool stop;
active proctype P() {
    { atomic { x = 1; x = 2 } x = 3 } unless { stop };
    assert(x != 1)
}
active proctype Q() {
    stop = true
}
