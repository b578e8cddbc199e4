// pid is a byte that holds a process number.
pid p;
active [2] proctype P() {
    p = _pid;
    assert(p < 2)
}
