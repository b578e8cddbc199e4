// A safety formula with weak until.
byte x, y;
active proctype P() {
    x = 1;
    y = 1
}
ltl before { (y == 0) W (x == 1) }
