// for over the messages of a channel leaves them in it.
typedef M { byte v };
chan c = [3] of { M };
active proctype P() {
    M m;
    byte sum;
    m.v = 1; c!m; m.v = 2; c!m; m.v = 4; c!m;
    for (m in c) {
        sum = sum + m.v
    }
    assert(sum == 7 && len(c) == 3)
}
