// One line of memory that moves between N caches: only the cache that owns it has a copy, and a cache that wants
// it takes it from the owner, or from memory.
//
// component: Cache[0]
//
// Assertions: the copy of the owner is the last value written; nobody else has a copy.
//
// BROKEN 1: the one that owned the line keeps its copy.
//
// After the migratory protocols in A. L. Cox and R. J. Fowler, Adaptive cache coherency for detecting migratory shared data, 1993;
// the text is our own.

#ifndef N
#define N 3
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

byte owner;                 // the number of the cache + 1; 0 if memory has the line
bool memory, last;
bool has[N], copy[N];

active [N] proctype Cache() {
    do
    :: atomic { owner == 0 -> copy[_pid] = memory; has[_pid] = true; owner = _pid + 1 }
    :: atomic { owner != 0 && owner != _pid + 1 ->
            copy[_pid] = copy[owner - 1];
#if !BROKEN
            has[owner - 1] = false;
#endif
            has[_pid] = true;
            owner = _pid + 1
        }
    :: atomic { has[_pid] -> copy[_pid] = !copy[_pid]; last = copy[_pid] }
    :: atomic { owner == _pid + 1 -> memory = copy[_pid]; has[_pid] = false; owner = 0 }
    :: has[_pid] -> assert(!has[_pid] || owner == _pid + 1 && copy[_pid] == last)
    od
}
