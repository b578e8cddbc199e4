// else next to a receive is refused.
chan c = [1] of { byte };
byte x;
active proctype P() {
    if
    :: c?x -> assert(x == 1)
    :: else -> assert(x == 0)
    fi
}
active proctype Q() {
    c!1
}
