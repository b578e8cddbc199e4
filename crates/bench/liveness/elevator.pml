// An elevator that serves N floors and goes up and down between the lowest and the highest, and people who call it.
//
// A call is answered (comes), even without fairness: a button that is pressed cannot be pressed again. The elevator moves
// (progress).

#ifndef N
#define N 3
#endif

bool called[N];
byte at;
bool open;

active [N] proctype Button() {
    do
    :: atomic { !called[_pid] -> called[_pid] = true }
    od
}

active proctype Elevator() {
    bool up = true;
    do
    ::
        if
        :: called[at] ->
            open = true;
            called[at] = false;
            open = false
        :: else
        fi;
        if
        :: at == N - 1 -> up = false
        :: at == 0 -> up = true
        :: else
        fi;
progress:
        if
        :: up -> at++
        :: else -> at--
        fi
    od
}

ltl comes { [] (called[0] -> <> (open && at == 0)) }
