// Priority given by run, and get_priority.
byte x;
proctype Q(byte v) {
    x = v
}
init {
    atomic {
        run Q(1) priority 3;
        run Q(2) priority 7
    }
    assert(x == 1)
}
