// A lock that its holder may take again: the number of the holder and how often it has taken the lock.
//
// component: P[0]
//
// Assertions: at most one process is inside; whoever is inside holds the lock.
//
// BROKEN 1: the lock is free as soon as it is given back once.
//
// A classical example; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

#define NOBODY 255

byte holder = NOBODY;
byte depth;
byte inside;

active [N] proctype P() {
    byte mine;
    do
    :: mine < 2 ->
        atomic {
            (holder == NOBODY || holder == _pid) -> holder = _pid;
            depth++
        };
        mine++;
        if
        :: mine == 1 -> inside++
        :: else
        fi;
        assert(inside == 1 && holder == _pid)
    :: mine > 0 ->
        if
        :: mine == 1 -> inside--
        :: else
        fi;
        mine--;
        atomic {
            depth--;
            if
#if BROKEN
            :: true -> holder = NOBODY
#else
            :: depth == 0 -> holder = NOBODY
            :: else
#endif
            fi
        }
    od
}
