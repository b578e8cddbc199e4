// A negated channel predicate is refused.
chan c = [2] of { byte };
active proctype P() {
    !full(c) -> skip
}
