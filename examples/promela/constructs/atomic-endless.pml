// An endless loop within atomic ends for the search when a state comes again.
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
