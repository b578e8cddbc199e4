// Ackermann's function with the second argument counted from 1: A(0, n) = n is not above n.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int ackermann(int m, int n) {
    if (m == 0) return n;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(m >= 0 && n >= 0);
    assert(ackermann(m, n) > n);
    return 0;
}
