// Addition by counting up and down, recursively, is addition.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int add(int m, int n) {
    if (n == 0) return m;
    if (n > 0) return add(m + 1, n - 1);
    return add(m - 1, n + 1);
}

int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    assert(add(m, n) == m + n);
    return 0;
}
