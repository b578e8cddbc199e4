//! The one abstraction-refinement loop, shared by AGAR on networks and on probabilistic systems.
//!
//! ```
//! use suppose_control::{Context, Stopped};
//! use suppose_refine::{Abstraction, Analysed, Checked, Refined, refine};
//!
//! /// Proves `limit <= 10` with intervals that are halved.
//! struct Intervals { pieces: u64, limit: u64 }
//!
//! impl Abstraction for Intervals {
//!     type Counterexample = u64;
//!     type Real = u64;
//!
//!     fn size(&self) -> u64 {
//!         self.pieces
//!     }
//!
//!     fn check(&mut self, _: &Context) -> Result<Checked<u64>, Stopped> {
//!         let error = 8 / self.pieces;
//!         Ok(match self.limit + error > 10 {
//!             true => Checked::Fails(self.limit + error),
//!             false => Checked::Holds,
//!         })
//!     }
//!
//!     fn analyse(&mut self, _: u64, _: &Context) -> Result<Analysed<u64>, Stopped> {
//!         if self.limit > 10 {
//!             return Ok(Analysed::Real(self.limit));
//!         }
//!         self.pieces *= 2;
//!         Ok(Analysed::Refined)
//!     }
//! }
//!
//! let mut abstraction = Intervals { pieces: 1, limit: 9 };
//! let outcome = refine(&mut abstraction, &Context::default())?;
//! assert!(matches!(outcome, Refined::Holds));
//! assert_eq!(abstraction.pieces, 8);
//! # Ok::<(), Stopped>(())
//! ```

mod driver;

pub use driver::{Abstraction, Analysed, Checked, Refined, refine};
