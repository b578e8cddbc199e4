// McCarthy's 91 function: 91 for all arguments up to 101, and n - 10 above.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int m91(int n) {
    if (n > 100) return n - 10;
    return m91(m91(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = m91(n);
    assert(r == 91 || n > 101);
    return 0;
}
