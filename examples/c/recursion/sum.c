// The sum of 1..n, recursively, is at least n.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int sum(int n) {
    if (n <= 0) return 0;
    return n + sum(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int s = sum(n);
    assert(s >= 0 && s >= n);
    return 0;
}
