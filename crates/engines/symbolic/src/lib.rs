//! The symbolic engine on finite-domain transition systems: sets of states as decision diagrams.
//!
//! ```
//! use suppose_control::Context;
//! use suppose_frontends::smv::{Dialect, read_text};
//! use suppose_symbolic::{Concrete, SymbolicVerdict, RelationOptions};
//!
//! let text = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0;
//!     next(n) := case n < 3 : n + 1; TRUE : 0; esac; CTLSPEC AG EF n = 3";
//! let (read, _) = read_text("n.smv", text, Dialect::NuSmv).unwrap();
//! let engine = Concrete::new(&read.system, RelationOptions::default(), &Context::default());
//! let answer = engine.decide(&read.system.properties[0])?;
//! assert!(matches!(answer.found, SymbolicVerdict::Holds(_)));
//! # Ok::<(), suppose_control::Stopped>(())
//! ```

pub mod answer;
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

pub use answer::{Answer, Effort, SymbolicVerdict};
pub use cegar::{Cegar, CegarOptions};
pub use decide::Concrete;
pub use relation::RelationOptions;
