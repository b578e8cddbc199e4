// select chooses any value of a range.
byte x;
active proctype P() {
    select (x : 2 .. 4);
    assert(x != 3)
}
