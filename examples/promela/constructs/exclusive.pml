// xr and xs promise that only this process reads or sends.
chan c = [1] of { byte };
active proctype P() {
    xs c;
    c!1;
    c!2
}
active proctype Q() {
    xr c;
    byte x;
    c?x;
    c?x;
    assert(x == 2)
}
