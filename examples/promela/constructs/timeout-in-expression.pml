// timeout within an expression.
bool x;
active proctype P() {
    !timeout -> x = true
}
active proctype Q() {
    (timeout || x) -> skip
}
