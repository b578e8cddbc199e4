// Before every step of the main part the escape is tried.
byte x;
bool stop;
active proctype P() {
    { x = 1; x = 2; x = 3 } unless { stop -> x = 9 };
    assert(x == 3 || x == 9)
}
active proctype Q() {
    stop = true
}
