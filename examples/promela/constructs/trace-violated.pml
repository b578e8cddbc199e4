// A trace automaton that does not.
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
    :: c!b; c!a
    od
}
