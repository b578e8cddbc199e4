// The value is in the range.
int x;
active proctype P() {
    select (x : -1 .. 2);
    assert(x >= -1 && x <= 2)
}
