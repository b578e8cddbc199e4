// The main part waits; the escape frees it.
byte x;
active proctype P() {
    { false -> x = 1 } unless { x == 5 -> x = 6 };
    assert(x == 6)
}
active proctype Q() {
    x = 5
}
