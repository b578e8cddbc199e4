// _last is the process that made the last step.
byte x;
active proctype P() {
    x = 1
}
active proctype Q() {
    x == 1;
    assert(_last == 1)
}
