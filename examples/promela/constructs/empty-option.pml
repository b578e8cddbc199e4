// An option that is a guard alone; a block as an option.
byte x;
active proctype P() {
    do
    :: { x < 2; x++ }
    :: x == 2 -> break
    od
}
