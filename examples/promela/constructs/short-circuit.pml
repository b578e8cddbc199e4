// The right side of && is evaluated only if it matters.
byte a[2], i = 5;
bool b = true;
active proctype P() {
    if
    :: i < 2 && a[i] == 0 -> b = false
    :: else
    fi;
    assert(b)
}
