// Pointers to variables, elements and parts.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    int first;
    int second[2];
};

void swap(int *a, int *b) {
    int c = *a;
    *a = *b;
    *b = c;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    struct pair p = {x, {y, 0}};
    swap(&p.first, p.second);
    assert(p.first == y && p.second[0] == x);
    int *at = &p.second[1];
    swap(at, at - 1);
    assert(p.second[1] == p.first || x == y || p.second[0] == 0);
    swap(&x, &y);
    assert(x == p.first);
    return 0;
}
