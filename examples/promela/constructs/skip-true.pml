// skip and true are steps; false and 0 never go.
byte x;
active proctype P() {
    skip;
    true;
    1;
    x = 1;
    false;
    assert(false)
}
