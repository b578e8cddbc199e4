// A constant that does not match blocks the whole receive; no field before it is stored.
chan c = [2] of { byte, byte };
byte x = 9;
active proctype P() {
    c!1, 2;
    if
    :: c?x, 3 -> assert(false)
    :: timeout -> assert(x == 9)
    fi
}
