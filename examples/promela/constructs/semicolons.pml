// Several semicolons in a row, and one before the end of a block.
byte x;
active proctype P() {
    x = 1;;
    x = 2; ;
    atomic { x++; };
    assert(x == 3);
}
