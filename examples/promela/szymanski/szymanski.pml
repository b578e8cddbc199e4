// Szymanski's algorithm for N processes: a process enters a waiting room, of which the door closes behind the last of a group; then
// the processes of the group go through one after the other.
//
// component: P[0]
//
// Assertion: at most one process is in the critical section.
//
// BROKEN 1: a process does not wait for those before it.
//
// B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, 1988; the text is our own.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte flag[N];       // 0: outside, 1: wants in, 2: waits for others, 3: at the door, 4: in the room
byte inside;

active [N] proctype P() {
    byte j;
    do
    :: flag[_pid] = 1;
        j = 0;
        do
        :: j < N ->
            flag[j] < 3;
            j++
        :: else -> break
        od;
        flag[_pid] = 3;
        j = 0;
        do
        :: j < N ->
            if
            :: flag[j] == 1 ->
                flag[_pid] = 2;
                j = 0;
                do
                :: flag[j] == 4 -> break
                :: else -> j = (j + 1) % N
                od;
                break
            :: else
            fi;
            j++
        :: else -> break
        od;
        flag[_pid] = 4;
#if !BROKEN
        j = 0;
        do
        :: j < _pid ->
            flag[j] < 2;
            j++
        :: else -> break
        od;
#endif
        inside++;
        assert(inside == 1);
        inside--;
        j = _pid + 1;
        do
        :: j < N ->
            (flag[j] < 2 || flag[j] > 3);
            j++
        :: else -> break
        od;
        j = 0;
        flag[_pid] = 0
    od
}
