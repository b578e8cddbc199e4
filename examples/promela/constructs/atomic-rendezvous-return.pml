// After a handshake the sender's atomic sequence goes on before others when the receiver blocks.
chan c = [0] of { byte };
byte x;
bool go;
active proctype P() {
    atomic { c!1; x = 1; x = 2; go = true }
}
active proctype Q() {
    byte y;
    c?y;
    assert(x == 0 || x == 2)
}
active proctype R() {
    x == 1 -> assert(false)
}
