// Three functions in a ring hand a budget on through a global; it is never overdrawn.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int budget;

void first(void);

void third(void) {
    budget -= 1;
    assert(budget >= 0);
    first();
}

void second(void) {
    if (budget > 0) third();
}

void first(void) {
    if (__VERIFIER_nondet_int()) second();
}

int main(void) {
    budget = __VERIFIER_nondet_int();
    __VERIFIER_assume(budget >= 0);
    first();
    assert(budget >= 0);
    return 0;
}
