// So is it when the receive has a constant.
chan c = [2] of { byte, byte };
active proctype P() {
    byte x = 9;
    c!1, 2;
    if
    :: c?x, 3 -> assert(false)
    :: else -> assert(x == 9)
    fi
}
