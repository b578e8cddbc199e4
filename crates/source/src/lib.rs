//! Source files, spans in them, diagnostics, and what all parsers share: the token cursor, interned
//! names, limits and spelling suggestions.
//!
//! Every front-end reports through one type, [`Diagnostic`]; every renderer
//! (terminal, JSON) starts from it. Nothing here knows a language.
//!
//! ```
//! use suppose_source::{Diagnostic, Sources, Span};
//!
//! let sources = Sources::single("light.lts", "LIGHT = (red -> LIHGT).");
//! let diagnostic = Diagnostic::error(Span::new(16, 21), "unknown process `LIHGT`")
//!     .label("expected a process")
//!     .did_you_mean("LIHGT", ["LIGHT", "SWITCH"]);
//! let text = diagnostic.render(&sources, false);
//! assert!(text.contains("light.lts:1:17") && text.contains("did you mean `LIGHT`?"));
//! ```

mod cursor;
mod decode;
mod diagnostic;
mod file;
mod limits;
mod names;
mod suggest;

pub use cursor::{Cursor, Lexeme, Placed, Token, open_comment, unexpected_character};
pub use decode::decode;
pub use diagnostic::{Diagnostic, Note, Record, Severity};
pub use file::{FileId, Position, SourceFile, Sources, Span};
pub use limits::{Depth, Level, ParserLimits, TooDeep};
pub use names::{Ident, Names, Sym};
pub use suggest::nearest;
