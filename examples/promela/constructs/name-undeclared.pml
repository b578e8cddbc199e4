// An undeclared name is refused.
active proctype P() {
    x = 1
}
