// A go-back-N sliding window protocol between a sender with a buffer of B messages and a receiver
// that queues up to B messages for its user. Sequence numbers are modulo B; at most W messages are
// under way (W < B). Messages are red or white. The receiver may lose data and acknowledgements.
//
// component: Sender
//
// PROPERTY 1 (A): no white message is delivered unless a white one was given to the sender.
// PROPERTY 2 (B): the sender sends no white message unless it was given one.
// PROPERTY 3 (C): the receiver delivers no white message unless it received one.
// PROPERTY 4 (D): nothing is ever delivered (false).
//
// The protocol is classical; the text is written for this collection.

#ifndef B
#define B 2
#endif
#ifndef W
#define W 1
#endif
#ifndef PROPERTY
#define PROPERTY 1
#endif

#define RED 0
#define WHITE 1

chan data = [0] of { byte, bit };    // sequence number, colour
chan ack = [0] of { byte };          // the next number the receiver expects
bool given;                          // a white message was given to the sender

active proctype Sender() {
    bit buffer[B];
    byte base, count, sent, n;
    do
    :: atomic { count < B -> buffer[(base + count) % B] = RED; count++ }
    :: atomic { count < B -> buffer[(base + count) % B] = WHITE; count++; given = true }
    :: atomic {
        sent < count && sent < W ->
#if PROPERTY == 2
        assert(buffer[(base + sent) % B] == RED || given);
#endif
        data!((base + sent) % B), buffer[(base + sent) % B];
        sent++
       }
    :: atomic {
        ack?n ->
        // The number acknowledges all before it, if it is one of those under way.
        if
        :: (n + B - base) % B <= sent ->
            do
            :: base != n ->
                buffer[base] = RED;
                base = (base + 1) % B;
                count--;
                sent--
            :: else -> break
            od
        :: else
        fi;
        n = 0
       }
    :: atomic { sent > 0 -> sent = 0 }    // time is up: go back
    od
}

active proctype Receiver() {
    bit queue[B];
    byte next, held, n;
    bit colour;
    bool due;
#if PROPERTY == 3
    bool received;
#endif
    do
    :: atomic {
        data?n, colour ->
        if
        :: !due && n == next && held < B ->
            queue[held] = colour;
            held++;
            next = (next + 1) % B;
            due = true
        :: !due && n != next -> due = true
        :: true                            // lost
        fi;
#if PROPERTY == 3
        received = received || colour == WHITE;
#endif
        n = 0;
        colour = RED
       }
    :: atomic {
        due ->
        if
        :: ack!next
        :: true                            // lost
        fi;
        due = false
       }
    :: atomic {
        held > 0 ->
#if PROPERTY == 1
        assert(queue[0] == RED || given);
#endif
#if PROPERTY == 3
        assert(queue[0] == RED || received);
#endif
#if PROPERTY == 4
        assert(false);
#endif
        n = 1;
        do
        :: n < B -> queue[n - 1] = queue[n]; n++
        :: else -> break
        od;
        queue[B - 1] = RED;
        held--;
        n = 0
       }
    od
}
