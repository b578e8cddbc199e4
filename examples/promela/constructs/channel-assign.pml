// A channel assigned to another name.
chan a = [2] of { byte };
active proctype P() {
    chan b;
    byte x;
    b = a;
    b!3;
    a?x;
    assert(x == 3 && b == a)
}
