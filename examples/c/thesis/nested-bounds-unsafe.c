// After Fig. 3.10 of the thesis: the inner loop may leave its variable behind.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    int x = 0, y = 0;
    while (x < n) {
        x++;
        y = 0;
        while (y < x && __VERIFIER_nondet_int()) y++;
        assert(y <= x - 1);
    }
    assert(y <= n);
    return 0;
}
