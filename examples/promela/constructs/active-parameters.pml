// Parameters of an active process are 0.
active proctype P(byte x) {
    assert(x == 0)
}
