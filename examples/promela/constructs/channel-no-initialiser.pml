// A send to a global channel without initialiser is an error of the run.
chan c;
chan d = [1] of { byte };
active proctype P() {
    if
    :: d!1
    :: c!1
    fi
}
