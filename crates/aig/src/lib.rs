//! Finite-domain systems as circuits of gates, and satisfiability of circuits.
//!
//! [`Circuit`] has inputs, `and` gates and negated wires. [`Frames`] turns the variables of a
//! [`System`](suppose_model::fsm::System) into bits, one copy for each moment, and expressions into gates on them. [`Solver`] asks
//! whether wires can be true together.
//!
//! This is the way to look at a system without decision diagrams. Engines ask through [`Frames`]; the checker of evidence has a translation of
//! systems into circuits of its own, and takes from here only the gates and the solver.

mod aiger;
mod blast;
mod circuit;
mod claim;
mod export;
mod frames;
mod solver;
mod vector;

pub use circuit::{Circuit, Gate, Lit};
pub use claim::Claim;
pub use export::{NoExport, invariant_as_aiger, invariant_as_smtlib, model_as_aiger};
pub use frames::{Frames, Malformed};
pub use solver::{Answer, Interrupted, Model, Solver, Stop};
