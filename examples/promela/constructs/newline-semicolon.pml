// A newline ends a statement where a semicolon is missing (SPIN 6.3 and later).
byte x
active proctype P() {
    x = 1
    x = x + 1
    if
    :: x == 2 -> x = 5
    :: else -> x = 7
    fi
    assert(x == 5)
}
