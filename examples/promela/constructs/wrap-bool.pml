// A bool keeps the lowest bit too: assigning 2 gives false.
bool x = true;
active proctype P() {
    x = 2;
    assert(x == false)
}
