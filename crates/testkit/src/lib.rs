//! Shared test material: random models, exhaustive small ones, and the naive oracle of every fast
//! algorithm.
//!
//! Nothing here is fast and nothing here is clever: each oracle is written so that a reader can
//! see that it is right. No engine is used.
//!
//! ```
//! use suppose_testkit::Rng;
//!
//! // The same seed gives the same numbers, so a failing case can be run again.
//! let mut rng = Rng::new(7);
//! let first = rng.below(100);
//! assert_eq!(Rng::new(7).below(100), first);
//! ```

pub mod claims;
pub mod fsp;
pub mod horn;
pub mod ltl;
pub mod markov;
pub mod markov_pctl;
pub mod naive;
pub mod promela;
pub mod random;
pub mod rng;
pub mod small;
pub mod smtlib;
pub mod smv;
pub mod storm;
pub mod tools;

pub use random::Shape;
pub use rng::{Rng, for_each_seed};
pub use tools::installed;
