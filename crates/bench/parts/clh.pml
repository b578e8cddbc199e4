// The queue lock of Craig, Landin and Hagersten for N processes: a process announces a node of its own behind
// the last one, waits at the node before it, and keeps that node for the next time. Node 0 is free at the start.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process puts itself behind the last one in two steps.
//
// T. S. Craig, Building FIFO and priority-queuing spin locks from atomic swap, 1993; P. Magnusson, A. Landin and
// E. Hagersten, Queue locks on cache coherent multiprocessors, 1994; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool busy[N + 1];
byte tail;
byte inside;

active [N] proctype P() {
    byte node = _pid + 1;
    byte before;
    do
    :: busy[node] = true;
#if BROKEN
        before = tail;
        tail = node;
#else
        atomic { before = tail; tail = node };
#endif
        !busy[before];
        inside++;
        assert(inside == 1);
        inside--;
        busy[node] = false;
        node = before
    od
}
