// Two processes in timeout: either may go.
byte x, y;
active proctype P() {
    timeout -> x = y + 1
}
active proctype Q() {
    timeout -> y = x + 1
}
active proctype R() {
    x == 1 && y == 2 -> assert(false)
}
