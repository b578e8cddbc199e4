// A rendezvous is one step of both.
chan c = [0] of { byte, bool };
byte x;
active proctype P() {
    c!5, true;
    x++
}
active proctype Q() {
    byte y;
    bool b;
    c?y, b;
    assert(y == 5 && b && x <= 1)
}
