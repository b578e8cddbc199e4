// The towers of Hanoi take at least as many moves as there are disks.
// (They take 2^n - 1; the bound is what linear arithmetic can say.)
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int hanoi(int disks) {
    if (disks <= 0) return 0;
    int below = hanoi(disks - 1);
    return below + 1 + hanoi(disks - 1);
}

int main(void) {
    int disks = __VERIFIER_nondet_int();
    int moves = hanoi(disks);
    assert(moves >= disks);
    return 0;
}
