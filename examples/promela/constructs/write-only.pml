// _ takes any value and keeps none.
chan c = [2] of { byte, byte };
active proctype P() {
    byte x;
    c!1, 2;
    c?_, x;
    _ = 7;
    assert(x == 2)
}
