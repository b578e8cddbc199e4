// A step of three now and then makes an even number odd.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) x += 2;
        else x -= 3;
    }
    assert(x % 2 == 0);
    return 0;
}
