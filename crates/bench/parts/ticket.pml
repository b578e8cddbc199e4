// A ticket lock for N processes: a process draws a number and waits until it is served. Numbers are counted
// modulo N + 1, so that the model is finite.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a number is read and counted up in two steps.
//
// J. M. Mellor-Crummey and M. L. Scott, Algorithms for scalable synchronization on shared-memory
// multiprocessors, 1991; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte next, served;
byte inside;

active [N] proctype P() {
    byte mine;
    do
    ::
#if BROKEN
        mine = next;
        next = (next + 1) % (N + 1);
#else
        atomic { mine = next; next = (next + 1) % (N + 1) };
#endif
        (served == mine);
        mine = 0;
        inside++;
        assert(inside == 1);
        inside--;
        served = (served + 1) % (N + 1)
    od
}
