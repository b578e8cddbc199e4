// An array of channels.
chan c[3] = [1] of { byte };
active [3] proctype P() {
    byte x;
    c[_pid]!_pid;
    c[(_pid + 1) % 3]?x;
    assert(x == (_pid + 1) % 3)
}
