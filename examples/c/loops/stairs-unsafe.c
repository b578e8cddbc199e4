// Three loops one after another; the last one starts too low.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0, y, z;
    for (; x < n; x++)
        ;
    for (y = x; __VERIFIER_nondet_int(); y += 3)
        ;
    z = y - 1;
    while (z > x) z--;
    assert(z >= n);
    return 0;
}
