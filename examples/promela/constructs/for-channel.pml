// for over the messages of a channel leaves them in it.
typedef M { byte v };
chan c = [3] of { byte };
active proctype P() {
    M m;
    byte sum;
    c!1; c!2; c!4;
    for (m in c) {
        sum = sum + m.v
    }
    assert(sum == 7 && len(c) == 3)
}
