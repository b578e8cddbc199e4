// A statement that blocks within atomic lets others go on.
byte x, y;
active proctype P() {
    atomic { x = 1; y == 1; assert(x == 2); x = 3 }
}
active proctype Q() {
    x == 1;
    x = 2;
    y = 1
}
