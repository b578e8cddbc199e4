// A character constant is its code.
byte x = 'a';
active proctype P() {
    assert(x == 97)
}
