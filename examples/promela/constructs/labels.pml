// Two labels on one statement, and a goto to a label before it.
byte x;
active proctype P() {
a:
b:
    x++;
    if
    :: x < 3 -> goto a
    :: x == 3 -> goto b
    :: else
    fi;
    assert(x == 4)
}
