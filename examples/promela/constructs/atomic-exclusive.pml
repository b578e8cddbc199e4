// Nobody sees the middle of an atomic sequence that does not block.
byte x, y;
active proctype P() {
    do
    :: atomic { x < 3 -> x++; y++ }
    :: x == 3 -> break
    od
}
active proctype Q() {
    do
    :: assert(x == y)
    :: x == 3 -> break
    od
}
