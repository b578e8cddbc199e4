// An array without index is refused.
byte a[3] = 2;
active proctype P() {
    a[1] = 5;
    assert(a[0] == 2 && a[2] == 2 && a == 2)
}
