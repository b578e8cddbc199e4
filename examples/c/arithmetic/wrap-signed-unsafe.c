// Machine integers: the sum of two positive numbers overflows, and the middle becomes negative.
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high);
    int middle = (low + high) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
