// R readers and W writers; any number of readers may be inside, or one writer. A writer that waits keeps new readers out
// (PATIENT 0), or does not and may wait for ever (PATIENT 1).
//
// Accept labels where a writer waits: is there a run on which one waits again and again? There is, also with fairness.
// Somebody goes in again and again (progress).

#ifndef R
#define R 2
#endif
#ifndef W
#define W 2
#endif
#ifndef PATIENT
#define PATIENT 0
#endif

byte readers, waiting;
bool writing;
bool asks, writes;          // the first writer

active [W] proctype Writer() {
    do
    ::
        waiting++;
        if
        :: _pid == 0 -> asks = true
        :: else
        fi;
        atomic { readers == 0 && !writing -> writing = true; waiting-- };
progress:
        if
        :: _pid == 0 -> atomic { writes = true; asks = false }
        :: else
        fi;
        if
        :: _pid == 0 -> writes = false
        :: else
        fi;
        writing = false
    od
}

active [R] proctype Reader() {
    byte page;
    do
    ::
        atomic { !writing && (PATIENT || waiting == 0) -> readers++ };
progress:
        do
        :: page < 2 -> page++
        :: else -> break
        od;
        page = 0;
        readers--
    od
}

ltl writer { [] (asks -> <> writes) }
