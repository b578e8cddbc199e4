// P[i]:x reads a local variable of another process.
active proctype P() {
    byte x;
    x = 1;
    x = 2
}
active proctype Q() {
    P[0]:x == 1 -> assert(P[0]:x >= 1)
}
