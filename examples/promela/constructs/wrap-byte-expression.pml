// Expressions are evaluated as int: only the assignment wraps.
byte x = 255;
active proctype P() {
    assert(x + 1 == 256);
    x = x + 1;
    assert(x == 0)
}
