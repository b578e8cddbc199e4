// pc_value(p) is a state number of SPIN's own.
active proctype P() {
    assert(pc_value(0) >= 0)
}
