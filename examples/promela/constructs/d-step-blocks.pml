// Blocking within a d_step is an error.
byte x;
active proctype P() {
    d_step { x = 1; x == 2; x = 3 }
}
