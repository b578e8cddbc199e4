//! The engines on Horn clauses by name.

mod list;

pub use list::{ENGINES, Engine};
