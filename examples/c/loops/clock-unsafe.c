// A clock whose minutes jump past the test for the full hour.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int hours = 0, minutes = 0;

void tick(void) {
    if (minutes == 5) minutes += 60;
    minutes++;
    if (minutes == 60) {
        minutes = 0;
        hours = (hours + 1) % 24;
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) tick();
    assert(minutes < 60);
    assert(hours >= 0 && hours < 24);
    return 0;
}
