// The outer escape comes before the inner one.
byte x;
active proctype P() {
    {
        { x = 1 } unless { true -> x = 2 }
    } unless { true -> x = 3 };
    assert(x == 3)
}
