// Leader election in a one-way ring of N nodes with distinct numbers: a node passes larger numbers on,
// swallows smaller ones, and is the leader when its own comes back.
//
// component: Node[1]
//
// Assertion: the leader is the node with the largest number, and there is only one.
//
// BROKEN 1: a node does not swallow smaller numbers.
//
// E. Chang and R. Roberts, An improved algorithm for decentralized extrema-finding, 1979; the text is
// our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

mtype = { candidate, elected };

chan ring[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(byte me; byte number) {
    byte n;
    ring[(me + 1) % N]!candidate, number;
    do
    :: ring[me]?candidate, n ->
        if
        :: n > number -> ring[(me + 1) % N]!candidate, n
        :: n == number ->
            leaders++;
            assert(leaders == 1 && number == N);
            ring[(me + 1) % N]!elected, n
        :: n < number ->
#if BROKEN
            ring[(me + 1) % N]!candidate, n
#else
            skip
#endif
        fi
    :: ring[me]?elected, n ->
        if
        :: n != number -> ring[(me + 1) % N]!elected, n
        :: else
        fi;
        break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            run Node(i, 1 + (i * (N - 1) + 1) % N)
        }
    }
}
