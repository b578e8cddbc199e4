// P producers and C consumers share a ring buffer of SIZE cells. Semaphores count free and used cells.
//
// component: Consumer[0]
//
// Assertions: the number of cells in use stays within the buffer; a consumer finds a filled cell.
//
// BROKEN 1: the consumers do not lock the buffer.
//
// A classical example, written for this collection; it follows no published text.

#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

#define WAIT(s) atomic { s > 0 -> s-- }
#define SIGNAL(s) s++

byte free_cells = SIZE, used_cells;
bit lock = 1;
byte cell[SIZE];        // 0 free, else 1 + the producer
byte head, tail;

active [P] proctype Producer() {
    do
    ::
        WAIT(free_cells);
        WAIT(lock);
        assert(cell[tail] == 0);
        cell[tail] = 1 + _pid;
        tail = (tail + 1) % SIZE;
        SIGNAL(lock);
        SIGNAL(used_cells);
        assert(used_cells <= SIZE)
    od
}

active [C] proctype Consumer() {
    byte item;
    do
    ::
        WAIT(used_cells);
#if !BROKEN
        WAIT(lock);
#endif
        item = cell[head];
        assert(item != 0);
        cell[head] = 0;
        head = (head + 1) % SIZE;
        item = 0;
#if !BROKEN
        SIGNAL(lock);
#endif
        SIGNAL(free_cells);
        assert(free_cells <= SIZE)
    od
}
