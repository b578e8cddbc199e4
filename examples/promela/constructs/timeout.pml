// timeout goes only when nothing else in the system can.
byte x;
active proctype P() {
    timeout -> assert(x == 3)
}
active proctype Q() {
    do
    :: x < 3 -> x++
    :: else -> break
    od
}
