//! Random SMV texts, what is expected of the examples, and an oracle that decides properties state by state.

mod expected;
mod expression;
mod fair;
mod linear;
mod oracle;
mod text;

pub use expected::{Check, checks};
pub use oracle::{Oracle, Steps};
pub use text::{Shape, random};
