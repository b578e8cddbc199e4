//! The engines on programs by name.

mod list;

pub use list::{ENGINES, Engine};
