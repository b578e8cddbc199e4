// Division and remainder truncate towards zero; shifts and bit operations are those of C.
int a = -7;
active proctype P() {
    assert(a / 2 == -3 && a % 3 == -1);
    assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~0 == -1);
    assert((1 << 4) == 16 && (17 >> 2) == 4);
    assert(!0 && !(!3) == 1)
}
