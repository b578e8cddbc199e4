// Machine integers: an unsigned char starts again from 0, so it does not stay equal to an int that counts along.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char c = 250;
    int n = 250;
    while (__VERIFIER_nondet_int() && n < 100000) {
        c++;
        n++;
    }
    assert(c == n);
    return 0;
}
