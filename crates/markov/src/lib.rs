//! Engines on probabilistic systems: does the composition of components conform to a specification,
//! that is, does the specification strongly simulate it?
//!
//! [`simulation`] decides it for two systems and gives a relation or a stochastic tree; the engines differ in which
//! systems they put to it. After chapters 4 to 6 of Komuravelli's thesis.

mod abstraction;
mod agar;
mod agar_n;
pub mod bisimulation;
mod cegar;
mod chain;
mod engine;
pub mod flow;
mod learn;
mod monolithic;
mod order;
pub mod pctl;
mod product;
mod proof;
pub mod simulation;
pub mod tree;

pub use abstraction::Splitting;
pub use agar::agar;
pub use agar_n::agar_n;
pub use cegar::cegar;
pub use chain::Options;
pub use learn::{Folding, LearnOptions, learn};
pub use monolithic::monolithic;
pub use order::{Estimate, estimate, order};

use suppose_model::Reason;
use suppose_model::markov::{Certificate, Counterexample};

/// What an engine found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The system conforms, and here is why.
    Holds(Box<Certificate>),
    /// It does not, and here is a finite behaviour that shows it.
    Violated(Box<Counterexample>),
    /// Not decided, and here is what stopped it.
    Unknown(Reason),
}

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// What it took: states are those of the systems built, `largest` the most of one product.
    pub run: suppose_model::Run,
}
