// printf and printm have no effect; they are steps.
mtype = { red };
mtype m = red;
active proctype P() {
    printf("%d %e\n", 1, m);
    printm(m);
    assert(true)
}
