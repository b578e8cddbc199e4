// Peterson's algorithm for two processes, the scheduler written out: never both inside.
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
    bool want0 = false, want1 = false, turn = false;
    bool wait0 = false, wait1 = false, in0 = false, in1 = false;
    while (true) {
        if (__VERIFIER_nondet_bool()) {
            if (in0) {
                in0 = want0 = false;
            } else if (!want0) {
                want0 = true;
            } else if (!wait0) {
                turn = true;
                wait0 = true;
            } else if (!want1 || !turn) {
                in0 = true;
                wait0 = false;
            }
        } else {
            if (in1) {
                in1 = want1 = false;
            } else if (!want1) {
                want1 = true;
            } else if (!wait1) {
                turn = false;
                wait1 = true;
            } else if (!want0 || turn) {
                in1 = true;
                wait1 = false;
            }
        }
        assert(!(in0 && in1));
    }
}
