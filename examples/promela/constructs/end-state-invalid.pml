// A process that cannot go on and is not at its end or at an end label.
byte x;
active proctype P() {
    x == 1
}
