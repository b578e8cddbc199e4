// A vending machine that gives money back and still sells.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int credit = 0, paid = 0, sold = 0, returned = 0;
    while (1) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            credit += 1;
            paid += 1;
            break;
        case 1:
            credit += 2;
            paid += 2;
            break;
        case 2:
            if (credit >= 3) {
                credit -= 3;
                sold++;
            }
            break;
        case 3:
            returned += credit;
            if (credit != 3) credit = 0;
            break;
        default:
            break;
        }
        assert(3 * sold + returned <= paid);
    }
}
