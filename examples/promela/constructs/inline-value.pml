// An inline that gives a value.
byte r;
inline half(n) {
    return n / 2
}
active proctype P() {
    r = half(6);
    assert(r == 3)
}
