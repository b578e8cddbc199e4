// _nr_pr counts the processes.
proctype Q() {
end:
    false
}
init {
    assert(_nr_pr == 1);
    run Q();
    assert(_nr_pr == 2);
    run Q();
    assert(_nr_pr == 3)
}
