// Peterson's filter lock for N processes: a process climbs N - 1 levels; at each level the last one to
// come waits until nobody else is at that level or above.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process does not wait at the last level.
//
// G. L. Peterson, Myths about the mutual exclusion problem, 1981; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte level[N];      // 0: not interested
byte last[N];       // by level
byte inside;

active [N] proctype P() {
    byte k, j;
    do
    :: k = 1;
        do
        :: k < N ->
            level[_pid] = k;
            last[k] = _pid;
            j = 0;
            do
            :: j < N ->
#if BROKEN
                if
                :: k == N - 1
                :: k < N - 1 && (j == _pid || level[j] < k || last[k] != _pid)
                fi;
#else
                (j == _pid || level[j] < k || last[k] != _pid);
#endif
                j++
            :: else -> break
            od;
            k++
        :: else -> break
        od;
        inside++;
        assert(inside == 1);
        inside--;
        level[_pid] = 0;
        j = 0
    od
}
