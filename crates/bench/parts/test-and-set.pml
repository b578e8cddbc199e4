// A lock by test-and-set for N processes.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: the lock is tested and set in two steps.
//
// A classical example; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool lock;
byte inside;

active [N] proctype P() {
    do
    ::
#if BROKEN
        !lock;
        lock = true;
#else
        atomic { !lock -> lock = true };
#endif
        inside++;
        assert(inside == 1);
        inside--;
        lock = false
    od
}
