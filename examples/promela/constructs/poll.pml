// ?[ ] looks without taking and has no effect on variables.
chan c = [2] of { byte, byte };
active proctype P() {
    byte x = 9;
    assert(!c?[x, 2]);
    c!1, 2;
    assert(c?[x, 2] && !c?[x, 3] && x == 9 && len(c) == 1)
}
