// Fewer arguments than fields: an error of the run.
chan c = [1] of { byte, byte };
active proctype P() {
    byte x = 7;
    c!3;
    c?x;
    assert(x == 3)
}
