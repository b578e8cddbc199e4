// Within parentheses a newline ends nothing.
bool a = true, b = true;
active proctype P() {
    (a
     && b) -> assert(a);
    a = false
}
