// Blocks side by side may have variables of one name.
active proctype P() {
    { byte y = 3; assert(y == 3); y = 4 }
    { byte y; assert(y == 0) }
}
