// A liveness formula.
byte x;
active proctype P() {
    do
    :: x = 1 - x
    od
}
ltl often { [] <> (x == 1) }
