//! The symbolic engine on finite-domain transition systems: sets of states as decision diagrams.

pub mod bdd;
pub mod check;
pub mod decide;
pub mod encode;
pub mod explain;
pub mod monitor;
mod numbers;
pub mod order;
pub mod relation;
pub mod trace;

pub use decide::{Concrete, Found};
pub use explain::Shows;
pub use relation::Options;
pub use trace::Trace;
