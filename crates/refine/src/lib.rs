//! The one abstraction-refinement loop, and what every engine is given to run under.
//!
//! An engine gets a [`Context`]: it asks it often whether to stop, tells it what it is doing, and
//! asks before it takes much memory. Who watches clock, memory and keyboard is not its concern.

mod context;
mod driver;
mod gate;
mod panics;
mod supervisor;

pub use context::{Context, Control, Event, Observer, Silent, Stopped};
pub use driver::{Abstraction, Analysed, Checked, Outcome, refine};
pub use gate::Gate;
pub use panics::{catch, silence_panics};
pub use supervisor::{Bounds, Supervisor, Unsupervised};
