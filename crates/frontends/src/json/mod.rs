//! A network as JSON, in and out.
//!
//! ```json
//! {
//!   "format": "suppose-network",
//!   "version": 1,
//!   "name": "ping",
//!   "components": [
//!     {
//!       "name": "P",
//!       "states": 2,
//!       "initial": 0,
//!       "alphabet": ["ping", "pong"],
//!       "edges": [[0, "ping", 1], [1, "pong", 0], [1, "tau", 1]]
//!     }
//!   ],
//!   "properties": [
//!     { "name": "Once", "states": 2, "edges": [[0, "ping", 1]] }
//!   ],
//!   "priority": { "low": false, "labels": ["pong"] }
//! }
//! ```
//!
//! - A component or property has `states` states, numbered from 0, and starts in `initial` (0
//!   unless said). `alphabet` lists labels it takes part in besides those of its edges. `end` and
//!   `error` name its end and its error state. `state_names` lists pairs of a state and its name.
//! - An edge is a source, a label and a target; the label `tau` is the silent action.
//! - Properties must be deterministic and without `tau`. What a property does not allow violates
//!   it; so does what leads to its `error` state.
//! - `priority` is optional: with `low` false the labels named come before all others and `tau`,
//!   with `low` true after.
//! - `labels` is optional: it fixes the order of the labels, and says which are hidden. An entry
//!   is a label, or `{"name": "x#1", "hidden": "x"}`: the components that share `x#1` do it
//!   together, but it is invisible to others; it was called `x` before it was hidden.
//!
//! Labels that only properties have may happen at any time. Any other field is an error.

mod form;
mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use reader::read;
pub use writer::write;

/// What `format` must say.
const FORMAT: &str = "suppose-network";

/// The version written, and the only one read.
const VERSION: u32 = 1;
