// N philosophers; each takes the fork on the left, then the one on the right.
//
// component: Philosopher[0]
//
// Invalid end state: all hold their left forks.
// POLITE 1: the last one takes the right fork first; no deadlock.
//
// Assertion: a fork is held by one philosopher.
//
// A classical example, written for this collection; it follows no published text.

#ifndef N
#define N 3
#endif
#ifndef POLITE
#define POLITE 0
#endif

byte fork[N];       // 0 free, else the holder + 1

#define LEFT (_pid)
#define RIGHT ((_pid + 1) % N)

active [N] proctype Philosopher() {
    do
    ::
        if
        :: POLITE && _pid == N - 1 ->
            atomic { fork[RIGHT] == 0 -> fork[RIGHT] = _pid + 1 };
            atomic { fork[LEFT] == 0 -> fork[LEFT] = _pid + 1 }
        :: else ->
            atomic { fork[LEFT] == 0 -> fork[LEFT] = _pid + 1 };
            atomic { fork[RIGHT] == 0 -> fork[RIGHT] = _pid + 1 }
        fi;
        assert(fork[LEFT] == _pid + 1 && fork[RIGHT] == _pid + 1);
        fork[LEFT] = 0;
        fork[RIGHT] = 0
    od
}
