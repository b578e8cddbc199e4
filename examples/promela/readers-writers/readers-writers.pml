// R readers and W writers under a monitor that lets several readers or one writer in.
//
// component: Monitor
//
// Assertions: no writer is inside with anybody else.
//
// BROKEN 1: the monitor lets a writer in when there is no other writer.
//
// A classical example, written for this collection; it follows no published text.

#ifndef R
#define R 2
#endif
#ifndef W
#define W 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

chan start_read = [0] of { bit };
chan stop_read = [0] of { bit };
chan start_write = [0] of { bit };
chan stop_write = [0] of { bit };
byte reading, writing;

active proctype Monitor() {
    byte readers;
end:
    do
    :: start_read?_ -> readers++
    :: stop_read?_ -> readers--
    :: atomic {
        (BROKEN || readers == 0) -> start_write?_;
        do
        :: stop_write?_ -> break
        :: stop_read?_ -> readers--
        od
       }
    od
}

active [R] proctype Reader() {
end:
    do
    ::
        start_read!1;
        reading++;
        assert(writing == 0);
        reading--;
        stop_read!1
    od
}

active [W] proctype Writer() {
end:
    do
    ::
        start_write!1;
        writing++;
        assert(writing == 1 && reading == 0);
        writing--;
        stop_write!1
    od
}
