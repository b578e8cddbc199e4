// Active processes come before init in numbers only if they stand before it: what SPIN says.
byte n;
init {
    n = _pid;
    assert(n == 0)
}
active proctype P() {
    assert(_pid == 1)
}
