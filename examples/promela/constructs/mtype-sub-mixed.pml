// Assigning one named mtype to another is refused.
mtype:fruit = { apple, pear };
mtype:colour = { red, green, blue };
mtype:fruit f = apple;
active proctype P() {
    f = red
}
