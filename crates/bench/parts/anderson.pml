// Anderson's array lock for N processes: a process draws a place in a ring of N and waits until that place
// is let in by the one before.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a place is drawn in two steps.
//
// T. E. Anderson, The performance of spin lock alternatives for shared-memory multiprocessors, 1990; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

bool turned[N];
byte next;
byte inside;

// The first place is open at the start, the others are not.
#define OPEN(p) (turned[p] != (p == 0))

active [N] proctype P() {
    byte mine;
    do
    ::
#if BROKEN
        mine = next;
        next = (next + 1) % N;
#else
        atomic { mine = next; next = (next + 1) % N };
#endif
        OPEN(mine);
        turned[mine] = (mine == 0);
        inside++;
        assert(inside == 1);
        inside--;
        mine = (mine + 1) % N;
        turned[mine] = (mine != 0);
        mine = 0
    od
}
