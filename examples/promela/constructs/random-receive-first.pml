// ?? with variables only takes the first one.
chan c = [2] of { byte };
active proctype P() {
    byte x;
    c!7; c!8;
    c??x;
    assert(x == 7)
}
