// Several instances; numbers in the order of the text.
byte seen[3];
active [2] proctype P() {
    assert(_pid < 2);
    seen[_pid] = 1
}
active proctype Q() {
    assert(_pid == 2);
    seen[_pid] = 1
}
