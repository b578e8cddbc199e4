// An int wraps around at 2 to the 31.
int x = 2147483647;
active proctype P() {
    x = x + 1;
    assert(x < 0)
}
