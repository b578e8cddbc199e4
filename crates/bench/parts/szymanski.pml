// Szymanski's algorithm for N processes: a waiting room with two doors. The loops over all processes take many steps.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process does not wait for those before it.
//
// B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, 1988; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte flag[N];
byte inside;

active [N] proctype P() {
    byte j;
    bool someone;
again:
    flag[_pid] = 1;
    j = 0;
    do
    :: j < N -> flag[j] < 3; j++
    :: else -> break
    od;
    flag[_pid] = 3;
    j = 0;
    someone = false;
    do
    :: j < N && flag[j] == 1 -> someone = true; break
    :: j < N && flag[j] != 1 -> j++
    :: j == N -> break
    od;
    if
    :: someone ->
        flag[_pid] = 2;
        j = 0;
        do
        :: flag[j] == 4 -> break
        :: flag[j] != 4 -> j = (j + 1) % N
        od
    :: else
    fi;
    flag[_pid] = 4;
    someone = false;
    j = 0;
#if !BROKEN
    do
    :: j < _pid -> flag[j] < 2; j++
    :: else -> break
    od;
#endif
    inside++;
    assert(inside == 1);
    inside--;
    j = _pid + 1;
    do
    :: j < N -> (flag[j] < 2 || flag[j] > 3); j++
    :: else -> break
    od;
    flag[_pid] = 0;
    j = 0;
    goto again
}
