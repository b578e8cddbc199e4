// The escape goes first if it can.
byte x;
active proctype P() {
    { x = 1 } unless { true -> x = 2 };
    assert(x == 2)
}
