// Send arguments are expressions; a receive takes variables and constants.
chan c = [1] of { int };
active proctype P() {
    int x = 4;
    c!x * 2 + 1;
    c?x;
    assert(x == 9)
}
