//! Verdicts as text, JSON and self-contained HTML with drawings.
//!
//! Each kind of model has a function `describe` ([`network::describe`], [`program::describe`], [`chc::describe`], [`mdp::describe`],
//! [`fsm::describe`]) that makes a [`Document`] of what was found; text, JSON and HTML are renderings of it. [`draw`] makes pictures of
//! single automata and of whole systems. Nothing here prints, and no name that a user wrote reaches an output unescaped.
//!
//! ```
//! use suppose_model::lts::Network;
//! use suppose_report::{Frame, network};
//!
//! let network = Network::default();
//! let document = network::describe(Frame::default(), &network, []);
//! assert_eq!(document.last_line(), "unknown(nothing to check)");
//! assert!(document.text(false, false).starts_with("system: 0 components"));
//! assert!(document.json().starts_with("{\n  \"schema\": \"suppose-report\""));
//! assert!(document.html().starts_with("<!DOCTYPE html>"));
//! ```

mod behaviour;
mod block;
pub mod chc;
mod document;
pub mod draw;
pub mod exchange;
pub mod fsm;
mod html;
mod json;
pub mod mdp;
mod measured;
pub mod network;
mod process;
pub mod program;
mod record;
mod several;
mod text;
mod words;

pub use document::{Document, Frame, ShownVerdict};
pub use json::SCHEMA_VERSION;
pub use measured::{MeasuredCell, MeasuredRow, Measurements, measurements};
pub use several::{Checked, CheckedClaim, Expectation, Place, Problem, Standing, summary};
pub use words::{bytes as format_bytes, duration as format_duration, grouped, shown};
