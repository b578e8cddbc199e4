// A parameter wraps like a variable of its type.
proctype Q(byte b) {
    assert(b == 44)
}
init {
    run Q(300)
}
