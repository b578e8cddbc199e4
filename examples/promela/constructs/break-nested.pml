// break leaves the innermost loop.
byte x, y;
active proctype P() {
    do
    :: x < 2 ->
        do
        :: y < 2 -> y++
        :: else -> break
        od;
        y = 0;
        x++
    :: else -> break
    od;
    assert(x == 2 && y == 0)
}
