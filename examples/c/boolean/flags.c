// Flags kept in `int` variables and combined with `&`, `|`, `^`: they are truths, and become Boolean.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int toggle(int flag, int on) {
    return flag ^ on;
}

int main(void) {
    int a = 0, b = 0, any = 0;
    while (__VERIFIER_nondet_int()) {
        int x = __VERIFIER_nondet_int() > 0;
        a = toggle(a, x);
        b = toggle(b, x);
        any = any | x;
    }
    assert(a == b);
    assert(any || !a);
    return 0;
}
