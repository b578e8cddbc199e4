// Of the processes that can go, those of the highest priority go (SPIN 6.2 and later).
byte x;
active proctype P() priority 1 {
    x = 1
}
active proctype Q() priority 5 {
    assert(x == 0);
    x = 2;
    assert(x == 2)
}
