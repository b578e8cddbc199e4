// Messages left in a channel do not make an end state invalid.
chan c = [2] of { byte };
active proctype P() {
    c!1
}
