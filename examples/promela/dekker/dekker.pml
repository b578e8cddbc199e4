// Dekker's mutual exclusion of two processes.
//
// component: P[0]
//
// ltl mutex: the processes are never both in their critical sections.
//
// BROKEN 1: a process does not take its wish back while it is not its turn; they may wait for
// each other for ever, which is no deadlock here but a busy loop, and exclusion still holds.
// BROKEN 2: a process looks first and wishes afterwards; exclusion fails.
//
// E. W. Dijkstra, Cooperating sequential processes, 1965; the text is our own.

#ifndef BROKEN
#define BROKEN 0
#endif

bool wish[2];
bit turn;
bool critical[2];

active [2] proctype P() {
    do
    ::
#if BROKEN == 2
        !wish[1 - _pid];
        wish[_pid] = true;
#else
        wish[_pid] = true;
        do
        :: !wish[1 - _pid] -> break
        :: wish[1 - _pid] && turn != _pid ->
#if BROKEN == 1
            skip
#else
            wish[_pid] = false;
            turn == _pid;
            wish[_pid] = true
#endif
        :: wish[1 - _pid] && turn == _pid
        od;
#endif
        critical[_pid] = true;
        critical[_pid] = false;
        turn = 1 - _pid;
        wish[_pid] = false
    od
}

ltl mutex { [] !(critical[0] && critical[1]) }
