// P producers and C consumers share a buffer of SIZE cells; a consumer works on what it takes.
//
// Things are consumed again and again (progress): there is no other infinite run, so no fairness is needed.
// What the first producer makes is taken (taken): the buffer is first in, first out, but a consumer is needed.

#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

chan buffer = [SIZE] of { byte };
byte made, used;            // of the first producer, modulo 4

active [P] proctype Producer() {
    byte rest;
    do
    ::
        do
        :: rest < 2 -> rest++
        :: else -> break
        od;
        rest = 0;
        atomic { buffer!_pid ->
            if
            :: _pid == 0 -> made = (made + 1) % 4
            :: else
            fi
        }
    od
}

active [C] proctype Consumer() {
    byte item, work;
    do
    ::
        atomic { buffer?item ->
            if
            :: item == 0 -> used = (used + 1) % 4
            :: else
            fi
        };
progress:
        do
        :: work <= item -> work++
        :: else -> break
        od;
        work = 0;
        item = 0
    od
}

ltl taken { [] (made == 1 -> <> (used == 1)) }
