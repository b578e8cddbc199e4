// accept and progress labels mean nothing for safety.
bit x;
active proctype P() {
accept:
    do
    :: x = 1 - x;
progress:
        skip
    od
}
