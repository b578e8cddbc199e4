// A loop made of `goto`, with two ways in.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n <= 0) goto done;
    if (__VERIFIER_nondet_int()) goto body;
test:
    if (i >= n) goto done;
body:
    i++;
    goto test;
done:
    assert(i <= n || n < 0);
    assert(n <= 0 || i == n);
    return 0;
}
