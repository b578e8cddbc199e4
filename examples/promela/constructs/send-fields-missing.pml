// Fewer arguments than fields: what SPIN says.
chan c = [1] of { byte, byte };
active proctype P() {
    byte x = 7;
    c!3;
    c?x;
    assert(x == 3)
}
