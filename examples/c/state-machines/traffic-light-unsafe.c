// Two traffic lights; a broken sensor turns the second one green too early.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { RED, GREEN, YELLOW };

int main(void) {
    int north = RED, east = RED, turn = 0;
    for (;;) {
        if (turn == 0) {
            if (north == RED) north = GREEN;
            else if (north == GREEN) north = YELLOW;
            else {
                north = RED;
                turn = 1;
            }
        } else {
            if (east == RED) east = GREEN;
            else if (east == GREEN) east = YELLOW;
            else {
                east = RED;
                turn = 0;
            }
        }
        if (__VERIFIER_nondet_int() && north == YELLOW) turn = 1;
        assert(north == RED || east == RED);
    }
}
