// A goto out of d_step is refused.
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
