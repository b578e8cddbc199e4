// A local variable may not hide a global one: refused.
byte x = 1;
active proctype P() {
    byte x = 2;
    x++;
    assert(x == 3)
}
active proctype Q() {
    assert(x == 1)
}
