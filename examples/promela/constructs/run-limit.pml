// More than 255 processes: run gives 0 and does nothing? What SPIN says.
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
