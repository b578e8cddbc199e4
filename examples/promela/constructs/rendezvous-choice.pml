// Which of two receivers takes part is open.
chan c = [0] of { byte };
byte who;
active proctype P() {
    c!1
}
active proctype Q() {
end:
    c?_ -> who = 1
}
active proctype R() {
end:
    c?_ -> who = 2;
    assert(who == 2)
}
