// Processes are numbered in the order of the text, init too.
byte n;
init {
    n = _pid;
    assert(n == 0)
}
active proctype P() {
    assert(_pid == 1)
}
