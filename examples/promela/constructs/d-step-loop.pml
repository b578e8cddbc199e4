// A loop within d_step is one step.
byte x, n;
active proctype P() {
    d_step {
        do
        :: n < 4 -> n++; x = x + 2
        :: else -> break
        od;
        n = 0
    }
    assert(x == 8 && n == 0)
}
