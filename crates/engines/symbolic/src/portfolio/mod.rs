//! The engines on finite-domain systems by name.

mod list;

pub use list::{ENGINES, Engine};
