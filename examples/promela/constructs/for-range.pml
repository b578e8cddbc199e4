// for over a range, both ends included; the variable ends one above.
byte i, sum;
active proctype P() {
    for (i : 1 .. 4) {
        sum = sum + i
    }
    assert(sum == 10 && i == 5)
}
