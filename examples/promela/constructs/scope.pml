// Blocks have scopes of their own; the inner x is another one.
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
