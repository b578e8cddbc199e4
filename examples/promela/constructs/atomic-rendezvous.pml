// A send within atomic to a receiver passes control to the receiver, and back only when the receiver
// is not in an atomic sequence.
chan c = [0] of { byte };
byte order;
active proctype P() {
    atomic { c!1; order = order * 10 + 1 }
}
active proctype Q() {
    byte x;
    atomic { c?x; order = order * 10 + 2; order = order * 10 + 3 }
    assert(order != 123)
}
