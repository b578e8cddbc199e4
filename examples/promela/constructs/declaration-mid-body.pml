// A declaration in the middle of a body: its initial value is set when it is reached.
byte g = 1;
active proctype P() {
    g = 5;
    byte x = g;
    assert(x == 5)
}
