// The equals sign of an mtype declaration may be left out.
mtype { a, b };
mtype x = b;
active proctype P() {
    assert(x == 1)
}
