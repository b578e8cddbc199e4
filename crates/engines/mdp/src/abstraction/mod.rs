//! Abstraction by classes of states: quotients, what behaviours of them mean, and which classes to blame.

mod behaviour;
mod blame;
mod level;
mod partition;
mod projection;

pub(crate) use behaviour::{Behaviour, NoSuchStep};
pub use blame::Splitting;
pub(crate) use blame::{Abstracted, Finding};
pub(crate) use level::Level;
pub(crate) use partition::{Classes, Quotient, quotient};
pub(crate) use projection::Projection;
