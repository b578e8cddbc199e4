//! Exact numbers: machine words while they fit, big ones when they do not.
//!
//! [`Int`] and [`Rat`] never overflow and never round. Both keep one canonical form, so equality and
//! hashing are by value. Nearly all numbers of a model fit a word, and the operations try that first.

mod int;
mod rat;

pub use int::{Int, ParseIntError};
pub use rat::Rat;
