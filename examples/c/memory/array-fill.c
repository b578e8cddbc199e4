// An array that is filled and copied.
#include <assert.h>
#define N 20

int main(void) {
    int a[N];
    int b[N];
    int i;
    for (i = 0; i < N; i++) a[i] = 7;
    for (i = 0; i < N; i++) b[i] = a[i];
    for (i = 0; i < N; i++) assert(b[i] == 7);
    return 0;
}
