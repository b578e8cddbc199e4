//! Engines on probabilistic systems: does the composition of components conform to a specification,
//! that is, does the specification strongly simulate it?
//!
//! [`simulation`] decides it for two systems and gives a relation or a stochastic tree; the engines differ in which
//! systems they put to it. After chapters 4 to 6 of Komuravelli's thesis.
//!
//! # Engines
//! - [`monolithic()`] composes everything and looks for a simulation: the fastest where the whole is small.
//! - [`cegar()`] composes everything, but puts only a quotient to the simulation.
//! - [`agar()`] composes one group with a quotient of each other component.
//! - [`agar_n()`] takes groups one behind the other; each assumption is a quotient of the next group with the next assumption, so that
//!   what several components do together can be one class.
//! - [`smt()`] composes everything and asks a solver for a simulation: the encoding of the thesis, to compare with.
//! - [`learn()`] builds an assumption from counterexamples alone; the teacher composes everything but the first group.
//!
//! All of them give evidence for the components as they are: certificates by the rule ASym-N, counterexamples as executions of all
//! components. Counterexamples to a premise with an assumption are made real level by level (`abstraction`).

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
pub mod portfolio;
mod product;
mod proof;
pub mod simulation;
mod smt;
pub mod tree;

pub use abstraction::Splitting;
pub use agar::agar;
pub use agar_n::agar_n;
pub use cegar::cegar;
pub use chain::Options;
pub use learn::{Folding, LearnOptions, learn};
pub use monolithic::monolithic;
pub use order::{Estimate, estimate, order};
pub use smt::smt;

use suppose_model::mdp::{Certificate, Counterexample};

/// What an engine found out: why the system conforms, or a finite behaviour that shows that it does not.
pub type Verdict = suppose_model::Verdict<Box<Certificate>, Box<Counterexample>>;

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// What it took: states are those of the systems built, `largest` the most of one product.
    pub run: suppose_model::Run,
}
