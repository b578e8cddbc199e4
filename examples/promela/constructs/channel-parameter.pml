// A channel as a parameter.
chan a = [1] of { byte };
chan b = [1] of { byte };
proctype Q(chan in; chan out) {
    byte x;
    in?x;
    out!x + 1
}
init {
    byte y;
    run Q(a, b);
    a!4;
    b?y;
    assert(y == 5)
}
