// Embedded C runs arbitrary code; SPIN takes it.
byte x;
active proctype P() {
    c_code { now.x = 3; };
    assert(x == 3)
}
