// A small matrix: every element is a variable, also where the indices are not known.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int m[2][3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) m[i][j] = i + j;
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    if (i < 0 || i > 1 || j < 0 || j > 2) return 0;
    assert(m[i][j] == i + 2 * j);
    return 0;
}
