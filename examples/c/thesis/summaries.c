// Fig. 2.3 of the thesis: M calls T and D twice. M ends with at most half of what it was given, minus 2.
// Fig. 2.4 finds the summaries t0 >= 2t for T and d <= d0 - 1 for D.
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
    assert(m0 >= 2 * m + 4);
    return 0;
}
