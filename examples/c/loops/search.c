// Halving an interval: the bounds never cross.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        assert(middle >= 0 && middle < n);
        if (__VERIFIER_nondet_int()) low = middle + 1;
        else high = middle;
    }
    assert(low == high);
    return 0;
}
