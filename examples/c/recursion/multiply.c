// Repeated addition: with two factors from 0 on, the product by 3 is three times the other.
// The callee is asked with a constant and is linear for it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int times_three(int n) {
    if (n == 0) return 0;
    if (n > 0) return times_three(n - 1) + 3;
    return times_three(n + 1) - 3;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(times_three(n) == 3 * n);
    return 0;
}
