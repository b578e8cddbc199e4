// A send to a full channel waits.
chan c = [1] of { byte };
byte x;
active proctype P() {
    c!1;
    c!2;
    x = 1
}
active proctype Q() {
    byte y;
    assert(x == 0);
    c?y;
    assert(y == 1)
}
