// N small processes share one lock that they take by test and set, and a board on which each writes
// its number unless it stands there already. Many processes with few states each.
//
// component: Worker[0]
//
// Assertion: nobody else writes while a worker has the lock.
//
// BROKEN 1: the lock is tested and set in two steps.
//
// Written for this collection; it follows no published text.

#ifndef N
#define N 4
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool lock;
byte board;

active [N] proctype Worker() {
    bool mine;
    do
    :: mine = (board == _pid);
        if
        :: mine -> mine = false
        :: else ->
#if BROKEN
            !lock;
            lock = true;
#else
            atomic { !lock -> lock = true };
#endif
            board = _pid;
            assert(board == _pid);
            lock = false
        fi
    od
}
