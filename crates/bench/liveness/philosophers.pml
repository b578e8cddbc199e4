// N philosophers at a table; each takes one fork and then the other, eats and puts both back. The last one takes them
// in the other order, so that they cannot all wait for each other.
//
// Somebody eats again and again (progress), but nobody in particular: philosopher 0 may be overtaken for ever (eats).

#ifndef N
#define N 4
#endif

bool taken[N];
bool hungry, eating;        // philosopher 0

active [N] proctype Philosopher() {
    byte first = (_pid < N - 1 -> _pid : 0);
    byte second = (_pid < N - 1 -> _pid + 1 : N - 1);
    do
    ::
        if
        :: _pid == 0 -> hungry = true
        :: else
        fi;
        atomic { !taken[first] -> taken[first] = true };
        atomic { !taken[second] -> taken[second] = true };
progress:
        if
        :: _pid == 0 -> atomic { eating = true; hungry = false }
        :: else
        fi;
        if
        :: _pid == 0 -> eating = false
        :: else
        fi;
        taken[second] = false;
        taken[first] = false
    od
}

ltl eats { [] (hungry -> <> eating) }
