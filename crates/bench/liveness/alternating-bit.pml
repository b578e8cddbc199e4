// The alternating bit protocol over channels of size SIZE that lose messages. The sender sends 0, 1, .. K-1 and again.
//
// If messages and acknowledgements that are sent again and again arrive again and again, each message is delivered
// (delivers). Without that condition all may be lost (bold).

#ifndef SIZE
#define SIZE 1
#endif
#ifndef K
#define K 3
#endif

chan data = [SIZE] of { byte, bit };
chan acks = [SIZE] of { bit };
bool arrives, returns;      // the last that happened: a message or acknowledgement that arrived
byte got;                   // the last message delivered

active proctype Sender() {
    byte message;
    bit b, seen;
    do
    :: nfull(data) -> data!message, b
    :: atomic { data?_, _ -> arrives = false }          // lost
    :: atomic { acks?_ -> returns = false }             // lost
    :: atomic { acks?seen -> returns = true };
        atomic { returns = false;
            if
            :: seen == b -> b = 1 - b; message = (message + 1) % K
            :: else
            fi;
            seen = 0
        }
    od
}

active proctype Receiver() {
    byte message;
    bit b, want;
    do
    :: atomic { data?message, b -> arrives = true };
        atomic { arrives = false;
            if
            :: b == want -> got = message; want = 1 - want
            :: else
            fi;
            message = 0
        };
        acks!b;
        b = 0
    od
}

ltl delivers { ([] <> arrives && [] <> returns) -> ([] <> (got == 0) && [] <> (got == K - 1)) }
ltl bold { [] <> (got == 0) }
