// A document goes through an office of N participants (2..8). Each opens it, reads it, comments,
// checks the comments and signs; afterwards each files a copy and leaves the case. The registry
// takes the signatures in any order and then stamps, seals, copies and publishes the document.
//
// component: Office
//
// Assertion: nobody signs twice, and nobody signs a document that is stamped.
//
// TWICE 1: the last participant may take the case up again and sign once more.
//
// Written for this collection; it follows no published text.

#ifndef N
#define N 2
#endif
#ifndef TWICE
#define TWICE 0
#endif

#define OPEN 4      // before it: got, opened, read, commented
#define SIGNED 5    // after it: filed, left

#define PARTICIPANT(k) \
    :: atomic { step[k] != OPEN && step[k] < 7 -> step[k] = step[k] + 1 } \
    :: atomic { step[k] == OPEN -> sign!k; step[k] = SIGNED }

chan sign = [0] of { byte };

active proctype Office() {
    byte step[N];
end:
    do
    PARTICIPANT(0)
    PARTICIPANT(1)
#if N > 2
    PARTICIPANT(2)
#endif
#if N > 3
    PARTICIPANT(3)
#endif
#if N > 4
    PARTICIPANT(4)
#endif
#if N > 5
    PARTICIPANT(5)
#endif
#if N > 6
    PARTICIPANT(6)
#endif
#if N > 7
    PARTICIPANT(7)
#endif
#if TWICE
    :: atomic { step[N - 1] == 7 -> step[N - 1] = 0 }
#endif
    od
}

active proctype Registry() {
    bool has_signed[N];
    byte count, stage, k;
end:
    do
    :: atomic {
        sign?k ->
        assert(!has_signed[k] && stage == 0);
        has_signed[k] = true;
        count++;
        k = 0
       }
    :: atomic { count == N && stage < 4 -> stage++ }
    od
}
