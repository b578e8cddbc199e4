// Precedence of operators as in C.
active proctype P() {
    assert(1 + 2 * 3 == 7 && 7 - 2 - 1 == 4);
    assert((1 | 2 == 2) == 1);
    assert(1 || 0 && 0);
    assert(-2 + 3 == 1 && 10 / 5 / 2 == 1);
    assert((1 << 1 + 1) == 4)
}
