// Initial values of globals may use earlier globals.
byte a = 3;
byte b = a + 1;
active proctype P() {
    assert(b == 4)
}
