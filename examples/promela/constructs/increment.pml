// ++ and -- are statements, also on elements and fields.
typedef R { byte n };
byte a[2];
R r;
active proctype P() {
    a[1]++;
    r.n++;
    r.n++;
    a[0]--;
    assert(a[1] == 1 && r.n == 2 && a[0] == 255)
}
