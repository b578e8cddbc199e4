// Fig. 3.3 of the thesis with a weaker claim about y.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = 0, y = 0, z = 0, w = 0;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            x++;
            y += 100;
            break;
        case 1:
            __VERIFIER_assume(x >= 4);
            x++;
            y++;
            break;
        default:
            __VERIFIER_assume(y > 10 * w && z >= 100 * x);
            y = -y;
        }
        w++;
        z += 10;
    }
    assert(!(x >= 4 && y <= 400));
    return 0;
}
