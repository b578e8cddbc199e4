// A variable of an inner block may not hide one of an outer block: refused.
byte x = 1;
active proctype P() {
    byte x = 2;
    {
        byte x = 3;
        assert(x == 3)
    }
    assert(x == 2)
}
active proctype Q() {
    assert(x == 1)
}
