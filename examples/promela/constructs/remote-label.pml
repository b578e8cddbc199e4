// P[i]@label tells whether a process is at a label.
byte x;
active proctype P() {
    x = 1;
here:
    x = 2
}
active proctype Q() {
    P[0]@here -> assert(x >= 1)
}
