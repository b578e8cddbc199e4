// Steps of two keep an even number even; `%` by a number needs no quotient.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) x += 2;
        else x -= 4;
    }
    assert(x % 2 == 0);
    return 0;
}
