// The same over a rendezvous.
chan c = [0] of { byte };
int x;
active proctype P() {
    c!300
}
active proctype Q() {
    c?x;
    assert(x == 44)
}
