// A rendezvous takes place only if constants match.
chan c = [0] of { byte };
byte x;
active proctype P() {
    c!2
}
active proctype Q() {
    if
    :: c?1 -> assert(false)
    :: c?2 -> x = 2
    fi
}
