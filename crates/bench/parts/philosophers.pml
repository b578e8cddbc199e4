// N philosophers; each takes the fork on the left, then the one on the right.
//
// component: P[0]
//
// Assertion: no neighbour eats with the same fork.
//
// BROKEN 1: the right fork is tested and taken in two steps.
//
// After E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool taken[N];
bool eats[N];

#define RIGHT ((_pid + 1) % N)

active [N] proctype P() {
    do
    :: atomic { !taken[_pid] -> taken[_pid] = true };
#if BROKEN
        !taken[RIGHT];
        taken[RIGHT] = true;
#else
        atomic { !taken[RIGHT] -> taken[RIGHT] = true };
#endif
        eats[_pid] = true;
        assert(!eats[RIGHT]);
        eats[_pid] = false;
        taken[_pid] = false;
        taken[RIGHT] = false
    od
}
