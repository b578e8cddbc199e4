//! Oracles: slow, and obvious to read.

mod bisimulation;
mod check;
mod composition;
pub mod quotient;
mod traces;

pub use bisimulation::{
    branching_bisimilar, divergence_preserving_bisimilar, strongly_bisimilar, weakly_bisimilar,
};
pub use check::{NaiveVerdict, check, initial, is_deadlock, steps, steps_for};
pub use composition::{compose, is_end};
pub use traces::{inclusion, traces};
