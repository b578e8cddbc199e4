// A driver that gives the lock back only if a request was served, and takes it again anyway.
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
    } while (packets != old && packets < 3);
    unlock();
    return 0;
}
