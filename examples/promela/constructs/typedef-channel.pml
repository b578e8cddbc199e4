// A channel in a record.
typedef Port { chan in = [1] of { byte }; byte n };
Port p[2];
active proctype P() {
    byte x;
    p[1].in!6;
    p[1].in?x;
    assert(x == 6 && len(p[0].in) == 0)
}
