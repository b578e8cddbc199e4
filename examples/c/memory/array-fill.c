// A large array: one element, whose index is not known, stands for all.
#include <assert.h>
#define N 100000
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N];
    int b[N];
    int i;
    for (i = 0; i < N; i++) a[i] = 7;
    for (i = 0; i < N; i++) b[i] = a[i];
    for (i = 0; i < N; i++) assert(b[i] == 7);
    return 0;
}
