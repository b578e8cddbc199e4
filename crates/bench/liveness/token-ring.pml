// N stations hand a token on. A station that has it may work for a while, if it has work; work comes at any time.
//
// The token comes again and again (returns), even without fairness: a station that has work gets no more until it has done it
// (done).
// MARKED 1: an accept label where the token is passed on; a run that does so for ever is an acceptance cycle.

#ifndef N
#define N 4
#endif
#ifndef MARKED
#define MARKED 0
#endif

chan link[N] = [1] of { bit };
bool holds;                 // station 0
bool work[N];

active [N] proctype Station() {
    if
    :: _pid == 0 -> link[0]!1
    :: else
    fi;
    do
    :: atomic { !work[_pid] -> work[_pid] = true }
    :: link[_pid]?_ ->
        if
        :: _pid == 0 -> holds = true
        :: else
        fi;
        if
        :: work[_pid] -> work[_pid] = false
        :: else
        fi;
        if
        :: _pid == 0 -> holds = false
        :: else
        fi;
#if MARKED
accept:
#endif
        link[(_pid + 1) % N]!1
    od
}

ltl returns { [] <> holds }
ltl done { [] (work[0] -> <> !work[0]) }
