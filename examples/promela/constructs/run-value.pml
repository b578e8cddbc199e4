// run gives the number of the new process.
byte n;
proctype Q() {
    skip
}
active proctype P() {
    n = run Q();
    assert(n == 1);
    n = run Q();
    assert(n == 2 || n == 1)
}
