//! SMT-LIB Horn clauses, as CHC-COMP writes them, and Z3's rules.
//!
//! Text to [`Horn`]: `sexp` reads brackets, `commands` the script, `elaborate`, `apply` and `operators` give
//! terms their meaning, `numeric` and `bits` bring arithmetic and bit vectors to linear atoms and Booleans, and
//! `formula` and `clause` take formulas apart into clauses. `writer` goes the other way.

mod apply;
mod bits;
mod clause;
mod commands;
mod datatypes;
mod elaborate;
mod formula;
mod members;
mod numeric;
mod operators;
pub mod script;
mod sexp;
mod sort;
mod structured;
mod writer;
mod written;

use suppose_model::chc::Horn;
use suppose_model::chc::theory::Theory;
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources};

pub use writer::{Parameter, write, write_definitions, write_model};

/// What was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The system. Without what its names mean it allows more than the text.
    pub horn: Horn,
    /// What the names in it mean, if it has arrays, recursive datatypes or uninterpreted sorts.
    pub theory: Option<Theory>,
    /// How the parameters of each predicate were declared.
    pub parameters: Vec<Vec<Parameter>>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the system in a file of `sources`.
///
/// Every query of the file is one of the system, so a file with several asks whether any of them can be
/// derived. A file without a query holds trivially; that is a warning.
pub fn read(
    file: FileId,
    sources: &Sources,
    limits: &ParserLimits,
) -> Result<Read, Vec<Diagnostic>> {
    let text = sources.file(file).map_or("", SourceFile::text);
    limits
        .check_bytes(text.len(), "the text")
        .map_err(|error| vec![error])?;
    let (sexps, top) = sexp::read(text, file).map_err(|error| vec![error])?;
    commands::run(&sexps, &top, text)
}

/// Reads a system from a text.
pub fn read_text(name: &str, text: &str) -> Result<(Read, Sources), (Vec<Diagnostic>, Sources)> {
    let sources = Sources::single(name, text);
    match read(FileId(0), &sources, &ParserLimits::default()) {
        Ok(read) => Ok((read, sources)),
        Err(errors) => Err((errors, sources)),
    }
}
