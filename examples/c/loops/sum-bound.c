// Two counters that grow together stay equal, whatever is done with a third.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 0, b = 0, noise = __VERIFIER_nondet_int();
    do {
        a++;
        noise = -noise;
        b++;
    } while (__VERIFIER_nondet_int());
    assert(a == b);
    return 0;
}
