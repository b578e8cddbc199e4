// Peterson's filter lock for N processes (1981; the text is our own): a process climbs N - 1 levels, and at each level
// the last one to come waits until nobody else is at that level or above.
//
// A process that wants to enter does, if all are given time (enters, with weak fairness); without that it need not.

#ifndef N
#define N 3
#endif

byte level[N];              // 0: not interested
byte last[N];               // by level
bool wants, inside;         // process 0

active [N] proctype P() {
    byte k, j;
    do
    ::
        if
        :: _pid == 0 -> wants = true
        :: else
        fi;
        k = 1;
        do
        :: k < N ->
            level[_pid] = k;
            last[k] = _pid;
            j = 0;
            do
            :: j < N ->
                (j == _pid || level[j] < k || last[k] != _pid);
                j++
            :: else -> break
            od;
            k++
        :: else -> break
        od;
progress:
        if
        :: _pid == 0 -> atomic { inside = true; wants = false }
        :: else
        fi;
        if
        :: _pid == 0 -> inside = false
        :: else
        fi;
        level[_pid] = 0;
        j = 0;
        k = 0
    od
}

ltl enters { [] (wants -> <> inside) }
