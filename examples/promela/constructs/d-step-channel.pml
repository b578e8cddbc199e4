// Buffered sends and receives within d_step.
chan c = [2] of { byte };
byte x;
active proctype P() {
    d_step { c!4; c!5; c?x; }
    assert(x == 4 && len(c) == 1)
}
