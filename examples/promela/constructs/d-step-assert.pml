// An assertion within d_step.
byte x;
active proctype P() {
    d_step { x = 1; assert(x == 2); x = 3 }
}
