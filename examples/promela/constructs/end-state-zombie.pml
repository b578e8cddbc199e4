// A process at its end that waits for a younger one to die is in a valid end state.
byte x;
active proctype P() {
    skip
}
active proctype Q() {
end:
    x == 1
}
