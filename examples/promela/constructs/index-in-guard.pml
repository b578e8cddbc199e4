// An index out of range in a guard that is tried.
byte a[3], i = 4;
active proctype P() {
    if
    :: a[i] == 0 -> skip
    :: true -> skip
    fi
}
