// A loop within atomic.
byte x, n;
active proctype P() {
    atomic {
        do
        :: n < 5 -> n++; x = x + n
        :: else -> break
        od
    }
    assert(x == 15)
}
active proctype Q() {
    assert(x == 0 || x == 15)
}
