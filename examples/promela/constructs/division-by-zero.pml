// Dividing by zero: pan dies.
byte x = 1, y;
active proctype P() {
    x = x / y
}
