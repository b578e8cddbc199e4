// The first statement of a d_step is its guard and may block.
byte x, y;
active proctype P() {
    d_step { x == 1; y = 1 }
}
active proctype Q() {
    x = 1
}
