// When a process dies its number is given to the next one.
byte first, second;
proctype Q() {
    skip
}
init {
    first = run Q();
    _nr_pr == 1;
    second = run Q();
    assert(first == 1 && second == 1)
}
