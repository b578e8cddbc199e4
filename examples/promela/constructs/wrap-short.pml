// A short wraps around at 32768.
short x = 32767;
active proctype P() {
    x++;
    assert(x == -32768)
}
