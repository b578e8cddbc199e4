// First up, then down, but the switch comes one step late.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    int x = 0, y = 0;
    while (x < 2 * n) {
        if (x <= n) y++;
        else y--;
        x++;
    }
    assert(y == 0);
    return 0;
}
