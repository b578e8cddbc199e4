// Two processes count in residues: each step changes several variables by arithmetic, and an invariant
// over all of them is asserted. Nearly all of the work is in expressions.
//
// component: Left
//
// Assertion: the sum of the two accounts and the fee is constant; the checksum agrees.
//
// BROKEN 1: Right forgets the fee once in M rounds; in the end both may have too little to go on.
//
// Written for this collection; it follows no published text.

#ifndef M
#define M 10
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

#define SUM (a + b + fee)
#define CHECK ((3 * a + 5 * b + 7 * fee + 11 * round) % 13)

int a = M, b = M, fee;
short round;
byte check = (3 * M + 5 * M) % 13;

active proctype Left() {
    short x;
    do
    :: a > 0 ->
        select (x : 1 .. 2);
        atomic {
            x = (x > a -> a : x);
            a = a - x;
            b = b + x;
            round = (round + 1) % M;
            check = CHECK;
            assert(SUM == 2 * M && check == CHECK);
            x = 0
        }
    od
}

active proctype Right() {
    short y;
    do
    :: b > 1 ->
        y = (b * b + round) % 3;
        atomic {
            y = (y >= b -> b - 1 : y);
            b = b - y - 1;
            a = a + y;
            if
            :: BROKEN && round == M - 1
            :: else -> fee = fee + 1
            fi;
            check = CHECK;
            assert(SUM == 2 * M && check == CHECK);
            y = 0
        }
    :: atomic { fee > 0 -> a = a + fee; fee = 0; check = CHECK }
    od
}
