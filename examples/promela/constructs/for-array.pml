// for over the indexes of an array.
byte a[3] = 2;
active proctype P() {
    byte i, sum;
    for (i in a) {
        sum = sum + a[i] + i
    }
    assert(sum == 9)
}
