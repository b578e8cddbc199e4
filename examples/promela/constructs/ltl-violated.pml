// An invariant that fails.
byte x;
active proctype P() {
    do
    :: x < 3 -> x++
    :: x > 0 -> x--
    od
}
ltl low { [] (x != 3) }
