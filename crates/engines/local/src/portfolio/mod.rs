//! The engines on views by name.

mod list;

pub use list::{ENGINES, Engine};
