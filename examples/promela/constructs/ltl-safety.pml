// An invariant that holds.
byte x;
active proctype P() {
    do
    :: x < 3 -> x++
    :: x > 0 -> x--
    od
}
ltl bounded { [] (x <= 3) }
