// A byte wraps around at 256 and below 0.
byte x = 255, y;
active proctype P() {
    x++;
    y--;
    assert(x == 0 && y == 255)
}
