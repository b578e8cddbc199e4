//! Aldebaran's `.aut` format, as CADP, mCRL2 and LTSA write it.
//!
//! ```text
//! des (0, 2, 2)
//! (0, "send !1", 1)
//! (1, i, 0)
//! ```
//!
//! The header names the initial state, the number of transitions and the number of states. Labels
//! may be quoted or not; there are no escapes, so the quotes are the first and the last character.
//! `i` and `tau` are the silent action in either form. The target `-1`, which LTSA writes, is the
//! error state. Blank lines and all line endings are taken.

mod reader;
mod writer;

pub use reader::{read, read_property};
pub use writer::{Tau, write};

#[cfg(test)]
mod tests;
