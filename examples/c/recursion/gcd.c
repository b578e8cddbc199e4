// The greatest common divisor by subtraction: positive, and not above either number.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int gcd(int a, int b) {
    if (a == b) return a;
    if (a > b) return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    __VERIFIER_assume(a > 0 && b > 0);
    int g = gcd(a, b);
    assert(g > 0 && g <= a && g <= b);
    return 0;
}
