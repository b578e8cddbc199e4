// An array initialiser in braces.
byte a[3] = { 1, 2, 3 };
active proctype P() {
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3)
}
