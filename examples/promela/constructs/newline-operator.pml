// A line that starts with an operator does not go on with the line before: refused.
bool a, b;
active proctype P() {
    a
    && b -> assert(false)
}
