//! What a step does, plainly: the reference for engines and the judge of counterexamples.
