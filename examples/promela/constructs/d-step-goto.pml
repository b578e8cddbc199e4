// A goto out of d_step: what SPIN says.
byte x;
active proctype P() {
    d_step {
        x = 1;
        goto out;
        x = 2
    }
out:
    assert(x == 1)
}
