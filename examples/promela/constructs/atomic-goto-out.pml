// A goto out of atomic ends it.
byte x, seen;
active proctype P() {
    atomic { x = 1; goto out; }
out:
    x = 2;
    x = 3
}
active proctype Q() {
    x == 2;
    seen = x;
    assert(seen == 2 || seen == 3)
}
