// A process too many is an error.
byte n;
proctype Q() {
end:
    false
}
init {
    atomic {
        do
        :: run Q()
        od
    }
}
