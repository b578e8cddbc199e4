// Remote references in a claim.
active [2] proctype P() {
    skip;
critical:
    skip
}
ltl alone { [] !(P[0]@critical && P[1]@critical) }
