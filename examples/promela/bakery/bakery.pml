// Lamport's bakery for N processes. A ticket is drawn by a scan over the others' tickets; a process
// goes home when the next ticket would be above MAX, so that the model is finite.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: nobody waits for a process that is drawing its ticket.
//
// L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype P() {
    byte j, high;
    do
    ::
        choosing[_pid] = true;
        j = 0;
        high = 0;
        do
        :: j < N ->
            if
            :: ticket[j] > high -> high = ticket[j]
            :: else
            fi;
            j++
        :: else -> break
        od;
        if
        :: high < MAX -> ticket[_pid] = high + 1
        :: else -> choosing[_pid] = false; break
        fi;
        high = 0;
        choosing[_pid] = false;
        j = 0;
        do
        :: j < N ->
#if !BROKEN
            !choosing[j];
#endif
            (ticket[j] == 0 || ticket[j] > ticket[_pid]
             || (ticket[j] == ticket[_pid] && j >= _pid));
            j++
        :: else -> break
        od;
        j = 0;
        inside++;
        assert(inside == 1);
        inside--;
        ticket[_pid] = 0
    od
}
