// An elevator that opens its door while it moves.
#include <assert.h>
#define FLOORS 10

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int floor_now = 0;
_Bool open = 0, moving = 0;

void step(int goal) {
    if (open) {
        open = __VERIFIER_nondet_bool();
        return;
    }
    if (goal > floor_now && floor_now < FLOORS - 1) {
        moving = 1;
        floor_now++;
    } else if (goal < floor_now && floor_now > 0) {
        moving = 1;
        floor_now--;
    } else {
        if (floor_now != 4) moving = 0;
        open = 1;
    }
}

int main(void) {
    while (1) {
        step(__VERIFIER_nondet_int());
        assert(floor_now >= 0 && floor_now < FLOORS);
        assert(!(open && moving));
    }
}
