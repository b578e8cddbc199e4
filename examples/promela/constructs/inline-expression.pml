// An argument that is an expression is put in as it stands.
byte r;
inline twice(e) {
    r = e * 2
}
active proctype P() {
    twice(1 + 2);
    assert(r == 5)
}
