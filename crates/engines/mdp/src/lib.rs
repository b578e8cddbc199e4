//! Engines on probabilistic systems: does the composition of components conform to a specification,
//! that is, does the specification strongly simulate it?
//!
//! [`simulation`] decides it for two systems and gives a relation or a stochastic tree; the engines differ in which
//! systems they put to it. After chapters 4 to 6 of Komuravelli's thesis.
//!
//! # Example
//!
//! ```
//! use suppose_control::Context;
//! use suppose_mdp::{ConformanceVerdict, monolithic};
//! use suppose_model::lts::Labels;
//! use suppose_model::mdp::{Component, LptsBuilder, System};
//! use suppose_number::{Int, Rat};
//!
//! let mut labels = Labels::new();
//! let flip = labels.intern("flip");
//! let coin = |name: &str, heads: Rat| {
//!     let tails = &Rat::ONE - &heads;
//!     let mut builder = LptsBuilder::new(name);
//!     builder.choice(0, flip, &[(1, heads), (2, tails)]).unwrap();
//!     builder.choice(1, flip, &[(1, Rat::ONE)]).unwrap();
//!     builder.build()
//! };
//! let half = || Rat::new(Int::ONE, Int::from(2));
//! let specification = coin("specification", half());
//! let mut system = System::new("system", labels);
//! let (lpts, members) = (coin("fair", half()), vec!["fair".to_owned()]);
//! system.components.push(Component { lpts, members });
//! let answer = monolithic(&system, &specification, &Context::default());
//! assert!(matches!(answer.verdict, ConformanceVerdict::Holds(_)));
//! ```
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
pub mod deadlock;
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
pub use chain::ChainOptions;
pub use learn::{Folding, LearnOptions, learn};
pub use monolithic::monolithic;
pub use order::order;
pub use smt::smt;

use suppose_model::mdp::{Certificate, Counterexample};

/// What an engine found out: why the system conforms, or a finite behaviour that shows that it does not.
pub type ConformanceVerdict = suppose_model::Verdict<Box<Certificate>, Box<Counterexample>>;

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct ConformanceAnswer {
    /// The verdict.
    pub verdict: ConformanceVerdict,
    /// What it took: states are those of the systems built, `largest` the most of one product.
    pub run: suppose_model::Run,
}
