// N stations in a ring hand a token on; a station is active only while it has it.
//
// component: Station[0]
//
// ltl mutex: at most one station is active.
//
// TOKENS 2: there are two tokens; a station may find its link taken when it puts the second one there.
//
// A classical example, written for this collection; it follows no published text.

#ifndef N
#define N 3
#endif
#ifndef TOKENS
#define TOKENS 1
#endif

chan link[N] = [1] of { bit };
byte busy;

active [N] proctype Station() {
    if
    :: _pid < TOKENS -> link[_pid]!1
    :: else
    fi;
end:
    do
    :: link[_pid]?_ ->
        if
        :: busy++; busy--
        :: true
        fi;
        link[(_pid + 1) % N]!1
    od
}

ltl mutex { [] (busy <= 1) }
