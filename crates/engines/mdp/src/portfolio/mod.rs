//! The engines on probabilistic systems by name.

mod list;

pub use list::{ENGINES, Engine};
