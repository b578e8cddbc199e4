// A pipeline of N stages over buffered channels of SIZE messages. The source numbers the messages
// modulo K, every stage hands them on, the sink checks the order. Nearly all of the state is in the
// channels.
//
// component: Sink
//
// Assertion: messages arrive in order.
//
// BROKEN 1: the first stage may lose a message.
//
// Written for this collection; it follows no published text.

#ifndef N
#define N 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef K
#define K 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

chan link[N + 1] = [SIZE] of { byte, bit };

active proctype Source() {
    byte n;
    do
    :: link[0]!n, 0; n = (n + 1) % K
    :: link[0]!n, 1; n = (n + 1) % K
    od
}

proctype Stage(byte k) {
    byte n;
    bit b;
    do
    :: link[k]?n, b ->
        if
        :: link[k + 1]!n, b
        :: BROKEN && k == 0
        fi;
        n = 0;
        b = 0
    od
}

active proctype Sink() {
    byte n, expected;
    do
    :: link[N]?n, _ ->
        assert(n == expected);
        expected = (expected + 1) % K;
        n = 0
    od
}

init {
    byte k;
    atomic {
        for (k : 0 .. N - 1) {
            run Stage(k)
        }
    }
}
