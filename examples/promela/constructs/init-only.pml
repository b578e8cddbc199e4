// A program with init alone.
init {
    skip
}
