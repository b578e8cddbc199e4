// Arguments of an inline are put in as text.
byte a = 1, b = 2;
inline swap(x, y) {
    byte t;
    t = x;
    x = y;
    y = t
}
active proctype P() {
    swap(a, b);
    assert(a == 2 && b == 1);
    atomic { swap(a, b) };
    assert(a == 1 && b == 2)
}
