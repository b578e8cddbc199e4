// Any label that starts with end does.
byte x;
active proctype P() {
    x = 2;
endless_wait:
    x == 1
}
