// Two claims: each is checked by name.
byte x;
active proctype P() {
    x = 1;
    x = 2
}
ltl small { [] (x < 3) }
ltl smaller { [] (x < 2) }
