// A choice within atomic is a choice.
byte x;
active proctype P() {
    atomic {
        if
        :: x = 1
        :: x = 2
        :: x = 3
        fi;
        x = x * 2
    }
    assert(x != 4)
}
