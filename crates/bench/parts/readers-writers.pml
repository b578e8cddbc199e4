// Readers and writers with a shared count of readers: each of N processes reads or writes, again and again.
//
// component: P[0]
//
// Assertions: nobody is inside with a writer.
//
// BROKEN 1: a writer looks only for other writers.
//
// After P. J. Courtois, F. Heymans and D. L. Parnas, Concurrent control with "readers" and "writers", 1971; the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte readers;
bool writer;
byte reading, writing;

active [N] proctype P() {
    do
    :: atomic { !writer -> readers++ };
        reading++;
        assert(writing == 0);
        reading--;
        readers--
#if BROKEN
    :: atomic { !writer -> writer = true };
#else
    :: atomic { !writer && readers == 0 -> writer = true };
#endif
        writing++;
        assert(writing == 1 && reading == 0);
        writing--;
        writer = false
    od
}
