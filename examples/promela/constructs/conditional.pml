// Conditional expressions use an arrow and a colon, within parentheses.
byte x = 3, y;
active proctype P() {
    y = (x > 2 -> 10 : 20);
    assert(y == 10);
    y = (x > 5 -> 1 : (x > 2 -> 2 : 3));
    assert(y == 2)
}
