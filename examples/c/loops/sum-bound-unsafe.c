// Two counters, one of which is left behind by `continue`.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 0, b = 0, noise = __VERIFIER_nondet_int();
    do {
        a++;
        noise = -noise;
        if (a == 5) continue;
        b++;
    } while (__VERIFIER_nondet_int());
    assert(a == b);
    return 0;
}
