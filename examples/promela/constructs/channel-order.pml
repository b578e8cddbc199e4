// A buffered channel is a queue.
chan c = [3] of { byte };
active proctype P() {
    byte x, y;
    c!1; c!2; c!3;
    c?x; c?y;
    assert(x == 1 && y == 2 && len(c) == 1)
}
