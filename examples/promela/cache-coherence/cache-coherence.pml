// N caches hold one line, each as invalid, shared or modified, and a directory that serves one request
// at a time: before a cache gets the line to write it takes it from all others, before a cache gets it
// to read it takes it from a writer.
//
// component: Directory
//
// ltl coherent: a cache that may write is alone.
//
// BROKEN 1: the directory lets readers keep the line when another cache writes.
//
// A toy written for this collection; it follows no published text.

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

mtype = { read, write, take, done };

chan ask = [N] of { mtype, byte };
chan to[N] = [1] of { mtype };
chan back = [0] of { byte };
byte readers, writers;

active [N] proctype Cache() {
    mtype state = done, wanted;      // done: invalid; read: shared; write: modified
end:
    do
    :: state == done && wanted == 0 -> ask!read, _pid; wanted = read
    :: state != write && wanted == 0 -> ask!write, _pid; wanted = write
    :: atomic { to[_pid]?take ->
        if
        :: state == read -> readers--
        :: state == write -> writers--
        :: else
        fi;
        state = done };
        back!_pid
    :: atomic { to[_pid]?read -> state = read; readers++; wanted = 0 }; back!_pid
    :: atomic { to[_pid]?write ->
        if
        :: state == read -> readers--
        :: else
        fi;
        state = write; writers++; wanted = 0 }; back!_pid
    od
}

active proctype Directory() {
    bool has[N];
    byte owner = N, who, i;
    mtype kind;
end:
    do
    :: ask?kind, who;
        i = 0;
        do
        :: i < N ->
            if
            :: i != who && has[i] && (owner == i || (kind == write && !BROKEN)) ->
                to[i]!take;
                back?eval(i);
                has[i] = false
            :: else
            fi;
            i++
        :: else -> break
        od;
        to[who]!kind;
        back?eval(who);
        has[who] = true;
        owner = (kind == write -> who : N);
        i = 0;
        kind = 0;
        who = 0
    od
}

ltl coherent { [] (writers == 0 || (writers == 1 && readers == 0)) }
