// Pointers to functions in a table of structures.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct handler {
    int (*run)(int);
    int calls;
};

static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }

struct handler table[2] = {{up}, {down}};

int main(void) {
    int n = 0;
    int balance = 0;
    while (__VERIFIER_nondet_int()) {
        int which = __VERIFIER_nondet_int() != 0;
        if (n > 1000 || n < -1000) break;
        n = table[which].run(n);
        table[which].calls++;
        balance += which ? -1 : 1;
        if (table[which].calls > 1000) break;
    }
    assert(n == balance);
    return 0;
}
