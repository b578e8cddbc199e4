// A declaration in a loop without a value sets the variable to 0 each time.
byte n;
active proctype P() {
    do
    :: n < 2 ->
        byte x;
        assert(x == 0);
        x++;
        n++
    :: else -> break
    od
}
