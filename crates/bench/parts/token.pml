// A token that N processes hand on to whoever wants it, by messages without a buffer.
//
// component: P[0]
//
// Assertion: at most one process uses the token.
//
// BROKEN 1: a process keeps the token when it hands it on.
//
// A classical example; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

chan token = [0] of { bit };
byte using;

active proctype First() {
end:
    token!1
}

active [N] proctype P() {
end:
    do
    :: token?1;
        do
        :: using++;
            assert(using == 1);
            using--
        :: break
        od;
#if BROKEN
        using++;
        token!1;
        using--
#else
        token!1
#endif
    od
}
