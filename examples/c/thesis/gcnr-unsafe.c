// Fig. 3.1 of the thesis with a weaker guard of the negation.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = 0, y = 0, z = 0, w = 0, t;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool()) {
            x++;
            y = y + 100;
        } else if (__VERIFIER_nondet_bool()) {
            if (x >= 4) {
                x++;
                y++;
            }
        } else if (z >= 10 * x) {
            y = -y;
        }
        t = 1;
        w = w + t;
        z = z + (10 * t);
    }
    assert(!(x >= 4 && y <= 2));
    return 0;
}
