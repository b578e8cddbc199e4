// N stations in a ring hand a token on; a station is inside only while it has it.
//
// component: P[0]
//
// Assertion: at most one station is inside.
//
// BROKEN 1: there are two tokens.
//
// A classical example; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte holder;        // who has the token
byte second = 1;
byte inside;

active [N] proctype P() {
    byte work;
    do
#if BROKEN
    :: (holder == _pid || second == _pid) ->
#else
    :: (holder == _pid) ->
#endif
        inside++;
        assert(inside == 1);
        inside--;
        if
        :: holder == _pid -> holder = (holder + 1) % N
#if BROKEN
        :: second == _pid -> second = (second + 1) % N
#endif
        fi
    :: work < 3 -> work++
    :: work == 3 -> work = 0
    od
}
