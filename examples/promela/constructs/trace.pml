// A trace automaton that allows all that happens.
mtype = { a, b };
chan c = [1] of { mtype };
active proctype P() {
    c!a;
    c!b
}
active proctype Q() {
    c?a;
    c?b
}
trace {
    do
    :: c!a; c!b
    od
}
