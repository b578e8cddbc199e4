// Division with rest that stops one subtraction early.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0);
    int quotient = 0, rest = x;
    while (rest > 7) {
        rest -= 7;
        quotient++;
    }
    assert(rest >= 0 && rest < 7);
    assert(7 * quotient + rest == x);
    return 0;
}
