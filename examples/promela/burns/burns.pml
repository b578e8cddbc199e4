// Burns' algorithm for N processes with one bit each: a process waits for those before it, announces
// itself, looks at those before it once more, and then waits for those behind it.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process does not look at those before it a second time.
//
// J. Burns and N. Lynch, Bounds on shared memory for mutual exclusion, 1993; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool flag[N];
byte inside;

active [N] proctype P() {
    byte j;
start:
    flag[_pid] = false;
    j = 0;
    do
    :: j < _pid ->
        if
        :: flag[j] -> goto start
        :: else
        fi;
        j++
    :: else -> break
    od;
    flag[_pid] = true;
#if !BROKEN
    j = 0;
    do
    :: j < _pid ->
        if
        :: flag[j] -> goto start
        :: else
        fi;
        j++
    :: else -> break
    od;
#endif
    j = _pid + 1;
    do
    :: j < N ->
        !flag[j];
        j++
    :: else -> break
    od;
    j = 0;
    inside++;
    assert(inside == 1);
    inside--;
    goto start
}
