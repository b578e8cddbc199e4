// An unsigned of three bits wraps around at 8.
unsigned x : 3 = 7;
active proctype P() {
    x++;
    assert(x == 0);
    x = 12;
    assert(x == 4)
}
