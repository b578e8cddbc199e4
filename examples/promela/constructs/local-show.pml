// local and show change nothing.
local byte a;
show byte b;
active proctype P() {
    a = 1;
    b = a + 1;
    assert(b == 2)
}
