//! Exact numbers: machine words while they fit, big ones when they do not.
//!
//! [`Int`] and [`Rat`] never overflow and never round. Both keep one canonical form, so equality and
//! hashing are by value. Nearly all numbers of a model fit a word, and the operations try that first.
//! [`SplitMix64`] is the generator of pseudo-random numbers of simulations and tests.
//!
//! ```
//! use suppose_number::{Int, Rat};
//!
//! let third = Rat::new(Int::ONE, Int::from(3));
//! assert_eq!(&(&third + &third) + &third, Rat::ONE);
//! let big: Int = "170141183460469231731687303715884105728".parse()?;
//! assert_eq!((&big * &big).to_string().len(), 77);
//! # Ok::<(), suppose_number::ParseIntError>(())
//! ```

mod int;
mod random;
mod rat;
mod text;

pub use int::{Int, ParseIntError};
pub use random::SplitMix64;
pub use rat::Rat;
pub use text::grouped;
