// An if without an option that can go waits.
byte x;
active proctype P() {
    if
    :: x == 1 -> skip
    :: x == 2 -> skip
    fi
}
active proctype Q() {
    if
    :: x = 1
    :: x = 2
    :: x = 3
    fi
}
