//! Cancellation, limits and progress of engines.
//!
//! An engine gets a [`Context`]: it polls it for cancellation, reports progress to it, and asks it before
//! large allocations. The clock, the memory limit and Ctrl-C are watched elsewhere.
//!
//! ```
//! use std::sync::Arc;
//! use suppose_control::{Context, Control, Silent, Stopped};
//!
//! let control = Arc::new(Control::new(None));
//! let cx = Context::new(Arc::clone(&control), Arc::new(Silent));
//! assert_eq!(cx.check(), Ok(()));
//! control.stop(Stopped::Interrupted);
//! assert_eq!(cx.check(), Err(Stopped::Interrupted));
//! ```

mod context;
mod counts;
mod engines;
mod gate;
mod panics;
mod supervisor;

pub use context::{Context, Control, Event, Observer, Silent, Stopped};
pub use counts::Counts;
pub use engines::{Claims, EngineInfo, Refusal};
pub use gate::Gate;
pub use panics::{catch, silence_panics};
pub use supervisor::{Bounds, Supervisor, Unsupervised, on_threads, spawn};
