// ??[ ] looks at all messages.
chan c = [2] of { byte };
active proctype P() {
    c!1; c!2;
    assert(c??[2] && !c?[2] && !c??[3])
}
