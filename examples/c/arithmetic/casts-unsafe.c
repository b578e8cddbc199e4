// Machine integers: a negative number compared with an unsigned one is large.
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
    short s = __VERIFIER_nondet_short();
    long wide = s;
    assert((short)wide == s);
    assert((unsigned char)s == (s & 255));
    if (s < 0) assert(s < 1000u);
    return 0;
}
