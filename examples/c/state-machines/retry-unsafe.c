// A driver call with retries; the timeout path forgets to release.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void __VERIFIER_assert(int cond) {
    if (!(cond)) {
    ERROR:
        {
            reach_error();
            abort();
        }
    }
}

int taken = 0;

int request(int retries) {
    int status;
    taken++;
    while (1) {
        status = __VERIFIER_nondet_int();
        if (status == 0) goto out;
        if (retries <= 0) goto timeout;
        retries--;
    }
timeout:
    status = -1;
    return status;
out:
    taken--;
    return status;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int status = request(3);
        __VERIFIER_assert(taken == 0);
    }
    return 0;
}
