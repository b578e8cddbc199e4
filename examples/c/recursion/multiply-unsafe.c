// Repeated addition starting from 1: the product is off by one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int times_three(int n) {
    if (n == 0) return 1;
    if (n > 0) return times_three(n - 1) + 3;
    return times_three(n + 1) - 3;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(times_three(n) == 3 * n);
    return 0;
}
