// !! puts a message in its place by order.
chan c = [3] of { byte };
active proctype P() {
    byte x, y, z;
    c!!2; c!!3; c!!1;
    c?x; c?y; c?z;
    assert(x == 1 && y == 2 && z == 3)
}
