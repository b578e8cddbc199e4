// Locals keep their values when they are no longer used; they are part of the state.
byte g;
active proctype P() {
    byte i;
    do
    :: i < 3 -> i++
    :: break
    od;
    g = 1
}
