// The queue lock of Mellor-Crummey and Scott for N processes: a process puts itself behind the last
// one, tells it so, and waits until it is let in by it. Numbers of processes are counted from 1 here; 0 is nobody.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process puts itself behind the last one in two steps.
//
// J. M. Mellor-Crummey and M. L. Scott, Algorithms for scalable synchronization on shared-memory
// multiprocessors, 1991; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte tail;
byte next[N];       // who comes behind
bool waits[N];
byte inside;

active [N] proctype P() {
    byte before;
    do
    :: next[_pid] = 0;
        waits[_pid] = true;
#if BROKEN
        before = tail;
        tail = _pid + 1;
#else
        atomic { before = tail; tail = _pid + 1 };
#endif
        if
        :: before != 0 ->
            next[before - 1] = _pid + 1;
            !waits[_pid]
        :: else
        fi;
        before = 0;
        inside++;
        assert(inside == 1);
        inside--;
        if
        :: next[_pid] == 0 ->
            if
            :: atomic { tail == _pid + 1 -> tail = 0 }
            :: next[_pid] != 0 -> waits[next[_pid] - 1] = false
            fi
        :: next[_pid] != 0 -> waits[next[_pid] - 1] = false
        fi
    od
}
