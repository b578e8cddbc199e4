// A local channel lives on in the hands of others while its owner lives.
chan hand = [0] of { chan };
byte x;
active proctype P() {
    chan mine = [1] of { byte };
    hand!mine;
    mine?x;
    assert(x == 8)
}
active proctype Q() {
    chan c;
    hand?c;
    c!8
}
