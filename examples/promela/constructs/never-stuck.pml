// A never claim that cannot go on stops the search there.
byte x;
active proctype P() {
    x = 1;
    x = 2;
    x = 3
}
never {
    do
    :: x < 2
    od
}
