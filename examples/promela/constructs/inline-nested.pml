// An inline may use another one.
byte r;
inline add(n) {
    r = r + n
}
inline add_twice(n) {
    add(n);
    add(n)
}
active proctype P() {
    add_twice(3);
    assert(r == 6)
}
