// A notrace automaton that is matched is a violation.
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
notrace {
    c!a; c!b
}
