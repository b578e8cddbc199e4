// Two traffic lights at a crossing are never green together.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { RED, GREEN, YELLOW };

int main(void) {
    int north = RED, east = RED, turn = 0;
    for (;;) {
        if (turn == 0) {
            if (north == RED && east == RED) north = GREEN;
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
        assert(north == RED || east == RED);
    }
}
