// A bit keeps the lowest bit of what is assigned.
bit x;
active proctype P() {
    x = 2;
    assert(x == 0);
    x = 3;
    assert(x == 1)
}
