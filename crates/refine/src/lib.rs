//! The one abstraction-refinement loop, shared by AGAR on networks and on probabilistic systems.

mod driver;

pub use driver::{Abstraction, Analysed, Checked, Outcome, refine};
