//! Suppose: a compositional model checker that finds its own assumptions.

pub mod simulate;
pub mod steps;
