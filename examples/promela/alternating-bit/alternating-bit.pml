// The alternating bit protocol over lossy channels of size SIZE. The sender sends 0, 1, .. K-1 and
// again; the receiver takes each once.
//
// component: Sender
//
// Assertion: messages arrive in order, none twice, none lost.
//
// BROKEN 1: the sender does not look at the bit of an acknowledgement.
//
// K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson, A note on reliable full-duplex transmission
// over half-duplex links, 1969; the text is our own.

#ifndef SIZE
#define SIZE 1
#endif
#ifndef K
#define K 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

chan data = [SIZE] of { byte, bit };
chan acks = [SIZE] of { bit };

active proctype Sender() {
    byte message;
    bit b, got;
end:
    do
    :: nfull(data) -> data!message, b
    :: acks?got ->
        if
#if BROKEN
        :: true ->
#else
        :: got == b ->
#endif
            b = 1 - b;
            message = (message + 1) % K
        :: else
        fi;
        got = 0
    :: data?_, _                   // lost
    od
}

active proctype Receiver() {
    byte message, expected;
    bit b, want;
end:
    do
    :: data?message, b ->
        if
        :: b == want ->
            assert(message == expected);
            expected = (expected + 1) % K;
            want = 1 - want
        :: else
        fi;
        if
        :: acks!b
        :: true                    // lost
        fi;
        message = 0;
        b = 0
    od
}
