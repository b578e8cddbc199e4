// Machine integers: conversions keep what fits and cut what does not.
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
    short s = __VERIFIER_nondet_short();
    long wide = s;
    assert((short)wide == s);
    assert((unsigned char)s == (s & 255));
    if (s < 0) assert((unsigned)s > 1000u);
    return 0;
}
