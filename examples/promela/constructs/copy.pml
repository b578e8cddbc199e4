// ?< > reads without taking.
chan c = [2] of { byte };
active proctype P() {
    byte x;
    c!4;
    c?<x>;
    assert(x == 4 && len(c) == 1)
}
