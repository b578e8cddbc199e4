// A driver that takes and gives back a lock around its work; it never takes it twice.
// The classic example of software model checking.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

_Bool locked = 0;

void lock(void) {
    assert(!locked);
    locked = 1;
}

void unlock(void) {
    assert(locked);
    locked = 0;
}

int main(void) {
    int packets = 0, old;
    do {
        lock();
        old = packets;
        if (__VERIFIER_nondet_int()) {
            unlock();
            packets++;
        }
    } while (packets != old);
    unlock();
    return 0;
}
