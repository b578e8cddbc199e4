// After Fig. 3.10 of the thesis: a loop in a loop, each with a bound of its own.
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
        assert(y <= x);
    }
    assert(y <= n);
    return 0;
}
