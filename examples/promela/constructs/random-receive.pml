// ?? takes the first message that matches, wherever it is.
chan c = [3] of { byte, byte };
active proctype P() {
    byte x;
    c!1, 10; c!2, 20; c!2, 30;
    c??2, x;
    assert(x == 20 && len(c) == 2);
    c?1, x;
    assert(x == 10)
}
