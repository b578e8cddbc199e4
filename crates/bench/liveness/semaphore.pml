// N processes and a lock. With a semaphore (TICKET 0) those who wait may wait for ever, fairness or not; with tickets
// (TICKET 1) each has its turn, if all are given time.
//
// A never claim that looks for a process that waits from some point on.

#ifndef N
#define N 3
#endif
#ifndef WORK
#define WORK 2
#endif
#ifndef TICKET
#define TICKET 1
#endif

bool busy;
byte next, turn;
bool waits;                 // process 0

active [N] proctype User() {
    byte work, mine;
    do
    ::
        atomic {
            mine = next;
            next = (next + 1) % N;
            if
            :: _pid == 0 -> waits = true
            :: else
            fi
        };
        atomic { (TICKET && turn == mine || !TICKET && !busy) -> busy = true; mine = 0 };
        if
        :: _pid == 0 -> waits = false
        :: else
        fi;
        do
        :: work < WORK -> work++
        :: else -> break
        od;
        work = 0;
        atomic { busy = false; turn = (turn + 1) % N }
    od
}

never {
    do
    :: true
    :: waits -> goto accept_waits
    od;
accept_waits:
    do
    :: waits
    od
}
