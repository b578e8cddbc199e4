// The server side of a TLS-like handshake: application data only after the handshake is done,
// and the handshake is done only after the client has proved itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { HELLO, KEY_EXCHANGE, VERIFY, FINISHED, DATA, CLOSED };

int main(void) {
    enum state state = HELLO;
    int proved = 0, resumed = 0;
    while (state != CLOSED) {
        int message = __VERIFIER_nondet_int();
        switch (state) {
        case HELLO:
            resumed = message == 1;
            state = resumed && proved ? FINISHED : KEY_EXCHANGE;
            break;
        case KEY_EXCHANGE:
            proved = 0;
            state = VERIFY;
            break;
        case VERIFY:
            if (message != 2) {
                state = CLOSED;
                break;
            }
            proved = 1;
            /* fall through */
        case FINISHED:
            state = message == 3 ? CLOSED : DATA;
            break;
        case DATA:
            if (!proved) reach_error();
            if (message == 4) state = HELLO;
            if (message == 5) state = CLOSED;
            break;
        default:
            state = CLOSED;
        }
    }
    return 0;
}
