// A loop in a loop that runs once too often inside.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int steps = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            assert(j < n && j < i);
            steps++;
        }
    }
    assert(steps >= 0);
    return 0;
}
