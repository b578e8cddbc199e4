// c!a(b) is c!a,b.
mtype = { data, ack };
chan c = [2] of { mtype, byte };
active proctype P() {
    byte x;
    c!data(7);
    c?data(x);
    assert(x == 7)
}
