// Machine integers: an unsigned char does not reach 256.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char c = 0;
    int n = 0;
    while (__VERIFIER_nondet_int() && n < 100000) {
        c++;
        n++;
    }
    assert(c > n || n > 255);
    return 0;
}
