// Processes die in the reverse order of their creation: _nr_pr sinks only when the youngest has died.
proctype Q() {
    skip
}
proctype R() {
end:
    _nr_pr == 0
}
init {
    atomic { run Q(); run R() }
    // Q may have ended, but R is younger and stays, so Q is still counted.
    assert(_nr_pr == 3)
}
