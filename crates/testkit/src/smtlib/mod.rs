//! SMT-LIB clauses: what a term means, evaluated on the text itself, and random systems as text.
//!
//! This is a second opinion about the language: it shares nothing with the front-end but the numbers, and brings no
//! term into another form. A term is a tree of words; its value is computed from those of its parts.

mod eval;
mod random;
mod sexp;

pub use eval::{Definition, Point, Term, Undefined, definitions, eval};
pub use random::{Clause, System, random};
pub use sexp::{Sexp, parse};
