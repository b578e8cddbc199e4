// Records within records, and arrays of them.
typedef Cell { byte v[2] };
typedef Row { Cell c[3]; byte n };
Row table[2];
active proctype P() {
    table[1].c[2].v[1] = 9;
    table[0].n = 1;
    assert(table[1].c[2].v[1] == 9 && table[1].c[2].v[0] == 0 && table[0].n == 1)
}
