// Writes of a step are seen by its later parts only.
byte x = 1, y;
active proctype P() {
    y = x + (x == 1);
    assert(y == 2)
}
