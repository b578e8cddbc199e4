// A server that lets one of N clients in at a time, by messages without a buffer.
//
// component: Server
//
// Assertion: at most one client is inside.
//
// BROKEN 1: the server does not wait for the client to leave.
//
// A classical example; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

chan enter = [0] of { bit };
chan leave = [0] of { bit };
byte inside;

active proctype Server() {
end:
    do
    :: enter?1 ->
#if BROKEN
        if
        :: leave?1
        :: true
        fi
#else
        leave?1
#endif
    :: leave?1
    od
}

active [N] proctype Client() {
end:
    do
    :: enter!1;
        inside++;
        assert(inside == 1);
        inside--;
        leave!1
    od
}
