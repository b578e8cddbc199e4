// eval(_pid) picks the messages to this process.
chan c = [2] of { byte, byte };
active [2] proctype P() {
    byte x;
    c!(1 - _pid), _pid;
    c??eval(_pid), x;
    assert(x == 1 - _pid)
}
