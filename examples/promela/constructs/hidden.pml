// A hidden variable is no part of the state.
hidden byte h;
byte x;
active proctype P() {
    h = 1;
    x = 1;
    h = 2;
    x = 0
}
