// A message field wraps like a variable of its type.
chan c = [1] of { byte };
active proctype P() {
    int x;
    c!300;
    c?x;
    assert(x == 44)
}
