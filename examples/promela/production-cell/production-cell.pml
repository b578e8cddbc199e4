// A production cell of N components (2..9) under two control programs. The loader moves blanks into
// the press, the forge runs the press and what comes after it. A component is present from its size on:
//    2  loading arm (loader), press (forge)
//    3  unloading arm (forge)
//    4  lift in front of the loading arm (loader)
//    5  gripper of the unloading arm (forge)
//    6  deposit belt (forge)
//    7  feed belt (loader)
//    8  crane behind the deposit belt (forge)
//    9  gripper of the loading arm (loader)
//
// Either belt has BELT places; a belt moves all its blanks at once.
//
// component: Loader
//
// Assertion: no arm is within the press when the press starts working.
//
// HASTY 1: the loader may report a blank before its arm has left the press.
//
// The plant is a classical example; the text is written for this collection.

#ifndef N
#define N 2
#endif
#ifndef BELT
#define BELT 1
#endif
#ifndef HASTY
#define HASTY 0
#endif

mtype = { empty_press, blank, working, forged, taken };

#define FIRST(belt) ((belt & 1) != 0)
#define LAST(belt) (((belt >> (BELT - 1)) & 1) != 0)
#define WITHOUT_LAST(belt) (belt & ((1 << (BELT - 1)) - 1))

#if N >= 3
#define REACHING reaching
#else
#define REACHING false
#endif

chan loaded = [0] of { bit };    // loader to forge: a blank lies in the press
chan freed = [0] of { bit };     // forge to loader: the press is empty
bool arm_in;                     // the loading arm is within the press

active proctype Loader() {
    bool may_load = true, placed, inside, holds = true;
#if N >= 4
    bit lift;                    // 0 down, 1 up
    bool on_lift;
#endif
#if N >= 7
    int belt;                    // a bit for each place of the feed belt
#endif
#if N >= 9
    bool closed = true;
#endif
end:
    do
#if N >= 7
    :: atomic { !FIRST(belt) -> belt = belt | 1 }
    :: atomic { belt != 0 && !LAST(belt) -> belt = belt << 1 }
    :: atomic { LAST(belt) && lift == 0 && !on_lift -> belt = WITHOUT_LAST(belt); on_lift = true }
#elif N >= 4
    :: atomic { lift == 0 && !on_lift -> on_lift = true }
#endif
#if N >= 4
    :: atomic { lift == 0 && on_lift -> lift = 1 }
    :: atomic { lift == 1 && !on_lift -> lift = 0 }
#endif
#if N >= 9
    :: atomic { !holds && !inside && !closed && lift == 1 && on_lift -> closed = true }
    :: atomic { !holds && !inside && closed && lift == 1 && on_lift -> holds = true; on_lift = false }
    :: atomic { !holds && !inside && closed && !on_lift -> closed = false }
#elif N >= 4
    :: atomic { !holds && !inside && lift == 1 && on_lift -> holds = true; on_lift = false }
#else
    :: atomic { !holds && !inside -> holds = true }
#endif
    :: atomic { holds && may_load && !inside && !placed -> inside = true; arm_in = true }
#if N >= 9
    :: atomic { inside && holds && closed -> closed = false; holds = false; placed = true }
#else
    :: atomic { inside && holds -> holds = false; placed = true }
#endif
    :: atomic { inside && !holds -> inside = false; arm_in = false }
#if HASTY
    :: atomic { placed -> loaded!1; placed = false; may_load = false }
#else
    :: atomic { placed && !inside -> loaded!1; placed = false; may_load = false }
#endif
    :: atomic { freed?_ -> may_load = true }
    od
}

active proctype Forge() {
    mtype press = empty_press;
#if N >= 3
    bool reaching;               // the unloading arm is within the press
    bool carries;
#endif
#if N >= 5
    bool gripped;
#endif
#if N >= 6
    int deposit;                 // a bit for each place of the deposit belt
#endif
#if N >= 8
    bit crane;
#endif
end:
    do
    :: atomic { press == empty_press -> loaded?_; press = blank }
    :: atomic {
        press == blank && !REACHING ->
        assert(!arm_in);
        press = working
       }
    :: atomic { press == working -> press = forged }
#if N < 3
    :: atomic { press == forged -> press = taken }
#else
    :: atomic { press == forged && !reaching && !carries -> reaching = true }
#if N >= 5
    :: atomic { reaching && !gripped && press == forged -> gripped = true }
    :: atomic { reaching && gripped && press == forged -> press = taken; carries = true }
#else
    :: atomic { reaching && press == forged -> press = taken; carries = true }
#endif
    :: atomic { reaching && carries -> reaching = false }
#if N >= 6
    :: atomic { carries && !reaching && !FIRST(deposit) -> carries = false; deposit = deposit | 1
#else
    :: atomic { carries && !reaching -> carries = false
#endif
#if N >= 5
        ; gripped = false
#endif
       }
#if N >= 6
    :: atomic { deposit != 0 && !LAST(deposit) -> deposit = deposit << 1 }
#endif
#if N >= 8
    :: atomic { LAST(deposit) && crane == 0 -> crane = 1; deposit = WITHOUT_LAST(deposit) }
    :: atomic { crane == 1 -> crane = 0 }
#elif N >= 6
    :: atomic { LAST(deposit) -> deposit = WITHOUT_LAST(deposit) }
#endif
#endif
    :: atomic {
        press == taken && !REACHING ->
        freed!1;
        press = empty_press
       }
    od
}
