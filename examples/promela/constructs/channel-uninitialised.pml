// A send to a channel without initialiser is an error.
active proctype P() {
    chan c;
    c!1
}
