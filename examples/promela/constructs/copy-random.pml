// ??< > reads any message without taking.
chan c = [2] of { byte, byte };
active proctype P() {
    byte x;
    c!1, 5; c!2, 6;
    c??<2, x>;
    assert(x == 6 && len(c) == 2)
}
