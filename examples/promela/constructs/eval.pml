// eval turns a variable into a constant to match.
chan c = [2] of { byte };
active proctype P() {
    byte x = 3;
    c!5;
    if
    :: c?eval(x) -> assert(false)
    :: c?eval(x + 2) -> skip
    fi;
    assert(x == 3 && len(c) == 0)
}
