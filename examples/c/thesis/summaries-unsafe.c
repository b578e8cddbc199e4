// Fig. 2.3 of the thesis with a bound that is too strong by one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int t(int x) {
    if (x > 0) {
        x = x - 2;
        x = t(x);
        x = x + 1;
    }
    return x;
}

int d(int x) {
    x = x - 1;
    return x;
}

int main(void) {
    int m0 = __VERIFIER_nondet_int();
    int m = t(m0);
    m = d(m);
    m = d(m);
    assert(m0 >= 2 * m + 5);
    return 0;
}
