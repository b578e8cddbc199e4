// A counting semaphore with two places for N processes.
//
// component: P[0]
//
// Assertion: at most two processes are inside.
//
// BROKEN 1: the semaphore is tested and counted down in two steps.
//
// A classical example (E. W. Dijkstra, Cooperating sequential processes, 1965); the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte free = 2;
byte inside;

active [N] proctype P() {
    do
    ::
#if BROKEN
        free > 0;
        free--;
#else
        atomic { free > 0 -> free-- };
#endif
        inside++;
        assert(inside <= 2);
        inside--;
        free++
    od
}
