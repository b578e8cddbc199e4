// A declaration in a loop is initialised each time round.
byte n;
active proctype P() {
    do
    :: n < 2 ->
        byte x = 3;
        assert(x == 3);
        x++;
        n++
    :: else -> break
    od
}
