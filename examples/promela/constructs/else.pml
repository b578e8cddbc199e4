// else goes only if no other option can.
byte x = 1;
active proctype P() {
    if
    :: x == 0 -> assert(false)
    :: x == 1
    :: else -> assert(false)
    fi;
    if
    :: x == 0 -> assert(false)
    :: else -> x = 2
    fi;
    assert(x == 2)
}
