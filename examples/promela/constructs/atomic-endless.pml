// An endless loop within atomic: SPIN stores no state within it and goes on to its depth limit.
bit x;
active proctype P() {
    atomic {
        do
        :: x = 1 - x
        od
    }
}
active proctype Q() {
    assert(x == 0)
}
