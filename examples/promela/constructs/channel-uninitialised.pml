// A send to a local channel without initialiser is refused.
active proctype P() {
    chan c;
    c!1
}
