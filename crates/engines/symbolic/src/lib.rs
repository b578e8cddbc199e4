//! The symbolic engine on finite-domain transition systems: sets of states as decision diagrams.

pub mod answer;
pub mod auto;
pub mod bdd;
pub mod cegar;
pub mod check;
pub mod decide;
pub mod encode;
pub mod explain;
pub mod induction;
pub mod layout;
mod numbers;
pub mod order;
pub mod portfolio;
pub mod prepare;
pub mod proof;
pub mod relation;
pub mod tableau;
pub mod trace;

pub use answer::{Answer, Effort, Found};
pub use cegar::{Cegar, CegarOptions};
pub use decide::Concrete;
pub use relation::Options;
