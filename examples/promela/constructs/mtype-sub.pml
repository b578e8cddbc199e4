// A named mtype has a numbering of its own.
mtype:fruit = { apple, pear };
mtype:colour = { red, green, blue };
mtype:fruit f = apple;
mtype:colour k = red;
active proctype P() {
    mtype:fruit g = pear;
    assert(f == 2 && g == 1 && k == 3)
}
