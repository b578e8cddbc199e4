// The towers of Hanoi do not take twice as many moves as there are disks: one disk takes one.
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
    assert(moves >= 2 * disks);
    return 0;
}
