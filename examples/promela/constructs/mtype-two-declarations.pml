// A second mtype declaration goes on counting where the first ended.
mtype = { a, b };
mtype = { c, d };
active proctype P() {
    assert(b == 1 && a == 2);
    assert(d == 3 && c == 4)
}
