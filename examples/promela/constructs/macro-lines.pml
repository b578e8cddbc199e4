// A macro over several lines makes several statements.
#define BOTH(a, b) \
    a = 1; \
    b = 2
byte x, y;
active proctype P() {
    BOTH(x, y);
    assert(x == 1 && y == 2)
}
