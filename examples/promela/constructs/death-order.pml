// Processes die in the reverse order of their creation: _nr_pr sinks only when the youngest has died.
proctype Q() {
    skip
}
proctype R() {
end:
    _nr_pr == 0
}
init {
    run Q();
    run R();
    // Q has long ended when only R and init are left to go, but it is still counted.
    assert(_nr_pr == 3)
}
