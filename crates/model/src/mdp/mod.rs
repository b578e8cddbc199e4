//! Labelled probabilistic transition systems: where a transition leads is a distribution over states.
//!
//! The vocabulary is that of Segala and Lynch and of Komuravelli's thesis (chapter 4): an [`Lpts`] has
//! *choices*, each an action and a distribution; parts of a [`System`] do an action they share together
//! and draw their next states independently. Probabilities are exact. Labels are those of
//! [`crate::lts`]; `tau` is never shared, and strong simulation treats it as an action like any other.

mod answer;
mod compose;
mod distribution;
mod evidence;
mod lpts;
mod numbers;
mod pctl;
mod property_evidence;
mod quotient;
mod rewards;
mod system;
mod tree;

pub use answer::{
    Answer, Claim, Deficit, Proof, Refusal, Refused, Refutation, Sizes, ValueBounds, Verdict,
};
pub use compose::{Halted, Product, Weight, Whole, compose};
pub use distribution::{BadDistribution, Dist, DistId, Distributions, Weights};
pub use evidence::{Certificate, Counterexample, Flow, Match, Relation};
pub use lpts::{Choice, Lpts, LptsBuilder, Variables};
pub use numbers::{Amount, Numbers};
pub use pctl::{
    Comparison, Over, PathFormula, Property, Query, RewardPaths, Side, StateFormula, Steps,
};
pub use property_evidence::{
    Bound, Inductive, PropertyCertificate, PropertyCounterexample, RewardBound, ValueEvidence,
};
pub use quotient::quotient;
pub use rewards::{Rewards, RewardsBuilder};
pub use system::{Component, Proposition, System};
pub use tree::{Tree, TreeBuilder};

pub use crate::lts::{Label, Labels, SizeLimits, State, TooLarge};
