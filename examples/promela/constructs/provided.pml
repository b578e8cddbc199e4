// A process runs only while its condition holds.
bit turn;
byte n;
active proctype P() provided (turn == 0) {
    n++;
    turn = 1;
    assert(false)
}
active proctype Q() provided (turn == 1) {
    n++;
    assert(n == 2)
}
