// A goto out of two loops.
byte x;
active proctype P() {
    do
    :: do
        :: x == 3 -> goto out
        :: else -> x++
        od
    od;
out:
    assert(x == 3)
}
