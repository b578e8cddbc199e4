//! Source files, spans in them, and diagnostics.
//!
//! Every front-end reports through one type, [`Diagnostic`]; every renderer
//! (terminal, JSON) starts from it. Nothing here knows a language.

mod decode;
mod diagnostic;
mod file;
mod limits;
mod suggest;

pub use decode::decode;
pub use diagnostic::{Diagnostic, Note, Record, Severity};
pub use file::{FileId, Position, SourceFile, Sources, Span};
pub use limits::{Depth, Level, ParserLimits, TooDeep};
pub use suggest::nearest;
