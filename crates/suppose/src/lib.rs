//! Suppose: a compositional model checker that finds its own assumptions.
