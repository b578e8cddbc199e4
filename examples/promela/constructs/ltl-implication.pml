// A safety formula over two states with next.
byte x;
active proctype P() {
    x = 1;
    x = 2
}
ltl once { [] (x == 2 -> [] (x == 2)) }
