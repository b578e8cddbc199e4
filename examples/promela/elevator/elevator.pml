// An elevator that serves N floors. The controller keeps a call for each floor and direction, tells
// the motor where to go and opens the door of the floor where the cabin stands. The cabin stands at a
// floor or is between two. A button process on every floor gives calls at any time.
//
// component: Controller
//
// Assertions: a door is opened only where the cabin is, and the cabin never leaves an open door.
//
// HASTY 1: the controller may start the motor with the door still open.
//
// A classical example, written for this collection; it follows no published text.

#ifndef N
#define N 2
#endif
#ifndef HASTY
#define HASTY 0
#endif

mtype = { up, down, stop };

chan call = [0] of { byte, mtype };
mtype motor = stop;                  // set by the controller, stopped by the cabin at every floor
byte at;                             // the floor of the cabin, N between two floors
bool open;                           // a door is open

active [N] proctype Button() {
end:
    do
    :: call!_pid, up
    :: call!_pid, down
    od
}

active proctype Controller() {
    bool ups[N], downs[N];
    mtype going = stop;
    byte f;
end:
    do
    :: atomic { call?f, up -> ups[f] = true; f = 0 }
    :: atomic { call?f, down -> downs[f] = true; f = 0 }
    :: atomic { going == stop && !open && at < N - 1 -> motor = up; going = up }
    :: atomic { going == stop && !open && at > 0 -> motor = down; going = down }
#if HASTY
    :: atomic { going == stop && open && at > 0 -> motor = down; going = down }
#endif
    :: atomic {
        going != stop && motor == stop ->
        if
        :: ups[at] || downs[at] || at == 0 || at == N - 1 -> going = stop
        :: else -> motor = going
        fi
       }
    :: atomic {
        going == stop && !open && (ups[at] || downs[at]) ->
        assert(at < N);
        open = true;
        ups[at] = false;
        downs[at] = false
       }
    :: atomic { going == stop && open -> open = false }
    od
}

active proctype Cabin() {
    byte last;
end:
    do
    :: atomic { motor != stop && at < N -> assert(!open); last = at; at = N }
    :: atomic { motor == up && at == N -> at = last + 1; last = 0; motor = stop }
    :: atomic { motor == down && at == N -> at = last - 1; last = 0; motor = stop }
    od
}
