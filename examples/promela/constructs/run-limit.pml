// There may be 255 processes.
proctype Q() {
end:
    false
}
init {
    byte n;
    atomic {
        do
        :: n < 254 -> run Q(); n++
        :: else -> break
        od
    }
    assert(_nr_pr == 255)
}
