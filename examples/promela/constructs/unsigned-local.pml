// Local unsigned fields.
active proctype P() {
    unsigned u : 5 = 31, v : 1;
    u = u + 2;
    v = v - 1;
    assert(u == 1 && v == 1)
}
