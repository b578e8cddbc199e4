// Arguments, several of one type and of several types.
proctype Q(byte a, b; short c; bool d) {
    assert(a == 1 && b == 2 && c == -3 && d)
}
init {
    run Q(1, 2, -3, true)
}
