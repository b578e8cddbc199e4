// Division and rest by numbers, rounded towards zero as in C.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int tens = x / 10, ones = x % 10;
    assert(10 * tens + ones == x);
    assert(ones < 10 && ones > -10);
    assert((x >> 1) * 2 + (x & 1) == x);
    return 0;
}
