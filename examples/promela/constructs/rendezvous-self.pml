// A process cannot meet itself.
chan c = [0] of { byte };
active proctype P() {
    if
    :: c!1
    :: c?_
    fi
}
