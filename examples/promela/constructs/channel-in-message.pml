// A channel sent in a message.
chan ask = [0] of { chan, byte };
active proctype Server() {
    chan r;
    byte x;
end:
    do
    :: ask?r, x -> r!x * 2
    od
}
active [2] proctype Client() {
    chan me = [1] of { byte };
    byte y;
    ask!me, _pid;
    me?y;
    assert(y == _pid * 2)
}
