// ? with a constant looks at the first message only.
chan c = [2] of { byte };
active proctype P() {
    c!1; c!2;
    if
    :: c?2 -> assert(false)
    :: c?1 -> skip
    fi
}
