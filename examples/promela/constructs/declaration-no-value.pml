// A declaration in a loop without a value keeps what the variable had.
byte n;
active proctype P() {
    do
    :: n < 2 ->
        byte x;
        assert(x == n);
        x++;
        n++
    :: else -> break
    od
}
