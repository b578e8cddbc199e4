//! And-inverter graphs of finite-domain systems, and a SAT solver on them.
//!
//! [`Circuit`] has inputs, `and` gates and negated wires. [`Frames`] turns the variables of a
//! [`System`](suppose_model::fsm::System) into bits, one copy per time frame, and expressions into gates. [`Solver`] decides
//! whether wires are satisfiable together.
//!
//! Engines use [`Frames`]; the checker of evidence has its own encoding of systems, and uses only the gates and the
//! solver of this crate.
//!
//! ```
//! use suppose_aig::{SatResult, Circuit, Solver};
//!
//! let mut circuit = Circuit::new();
//! let (a, b) = (circuit.input(), circuit.input());
//! let both = circuit.and(a, b);
//! let mut solver = Solver::new();
//! assert_eq!(solver.solve(&circuit, &[both]), Ok(SatResult::Sat));
//! assert_eq!(solver.solve(&circuit, &[both, !a]), Ok(SatResult::Unsat));
//! ```

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
pub use solver::{Model, SatResult, Solver};
