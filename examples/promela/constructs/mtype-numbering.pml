// Names of an mtype are numbered from the last one backwards, from 1.
mtype = { a, b, c };
active proctype P() {
    assert(c == 1 && b == 2 && a == 3)
}
