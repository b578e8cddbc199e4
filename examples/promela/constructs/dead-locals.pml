// A process that died leaves nothing in the state.
proctype Q(byte n) {
    byte x;
    x = n
}
init {
    if
    :: run Q(1)
    :: run Q(2)
    :: run Q(3)
    fi;
    _nr_pr == 1
}
