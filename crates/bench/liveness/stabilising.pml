// Dijkstra's ring of N machines that stabilises from any state (1974; the text is our own): the first machine adds 1
// modulo K when its value is the last one's, the others take their neighbour's value when it is not theirs.
//
// From some point on exactly one machine can move (stabilises), whatever the values are in the beginning.

#ifndef N
#define N 3
#endif
#ifndef K
#define K N
#endif

byte x[N];
byte able;                  // how many machines can move
bool begun;

inline count() {
    able = (x[0] == x[N - 1]);
    c = 1;
    do
    :: c < N -> able = able + (x[c] != x[c - 1]); c++
    :: else -> break
    od;
    c = 0
}

proctype Machine(byte me) {
    byte c;
    begun;
    do
    :: d_step { me == 0 && x[0] == x[N - 1] -> x[0] = (x[0] + 1) % K; count() }
    :: d_step { me != 0 && x[me] != x[(me + N - 1) % N] -> x[me] = x[(me + N - 1) % N]; count() }
    od
}

init {
    byte i, v, c;
    do
    :: i < N ->
        select (v : 0 .. K - 1);
        x[i] = v;
        v = 0;
        i++
    :: else -> break
    od;
    atomic {
        d_step { count(); i = 0 };
        do
        :: i < N -> run Machine(i); i++
        :: else -> break
        od;
        i = 0;
        begun = true
    }
}

ltl stabilises { <> [] (begun && able == 1) }
