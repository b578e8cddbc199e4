// !! compares field by field; equal messages keep their order.
chan c = [3] of { byte, byte };
active proctype P() {
    byte x, y;
    c!!2, 1; c!!1, 9; c!!1, 3;
    c?x, y;
    assert(x == 1 && y == 3);
    c?x, y;
    assert(x == 1 && y == 9)
}
