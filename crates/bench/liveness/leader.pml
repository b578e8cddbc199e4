// Leader election in a one-way ring (Chang and Roberts, 1979; the text is our own): a node passes larger numbers on,
// swallows smaller ones, and is the leader when its own comes back. All then hear of it.
//
// Every run elects a leader (elected), and that never changes (stays).

#ifndef N
#define N 4
#endif

mtype = { candidate, leader };

chan ring[N] = [N] of { mtype, byte };
byte known;                 // the leader's number, 0 if there is none
byte heard;                 // how many know it

proctype Node(byte me; byte number) {
    byte n;
    ring[(me + 1) % N]!candidate, number;
    do
    :: ring[me]?candidate, n ->
        if
        :: n > number -> ring[(me + 1) % N]!candidate, n
        :: n == number ->
            known = number;
            ring[(me + 1) % N]!leader, n
        :: else
        fi
    :: ring[me]?leader, n ->
        heard++;
        if
        :: n != number -> ring[(me + 1) % N]!leader, n
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

ltl elected { <> (known == N) && <> (heard == N) }
ltl stays { [] (known != 0 -> [] (known == N)) && <> [] (heard == N) }
