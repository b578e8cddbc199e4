// Of a conditional expression only the chosen side is evaluated.
byte a[2], i = 5, y;
active proctype P() {
    y = (i < 2 -> a[i] : 9);
    assert(y == 9)
}
