//! SMV, the language of NuSMV and of the SMV of the nineties.
//!
//! Text to [`System`]: `lexer` and `parser` read modules, `flatten` makes instances of them, gives names their
//! meaning, and checks types and expressions that can fail.

mod ast;
mod flatten;
mod lexer;
mod parser;

use suppose_model::fsm::System;
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources};

pub use suppose_model::fsm::Dialect;

/// What was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The system.
    pub system: System,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the system in a file of `sources`.
pub fn read(
    file: FileId,
    sources: &Sources,
    dialect: Dialect,
    limits: &ParserLimits,
) -> Result<Read, Vec<Diagnostic>> {
    let source = sources.file(file);
    let text = source.map_or("", SourceFile::text);
    limits
        .check_bytes(text.len(), "the text")
        .map_err(|error| vec![error])?;
    let mut names = lexer::Names::default();
    let lexemes = lexer::lex(text, file, dialect, &mut names).map_err(|error| vec![error])?;
    if lexemes.len() <= 1 {
        return Err(vec![
            Diagnostic::error_without_place("the text is empty")
                .help("write a module: `MODULE main VAR x : boolean;`"),
        ]);
    }
    let modules = parser::parse(&lexemes, &mut names, dialect, limits)?;
    let (mut system, warnings) = flatten::flatten(modules, &mut names, dialect, limits)?;
    system.name = source.map_or("", SourceFile::stem).to_owned();
    Ok(Read { system, warnings })
}

/// Reads a system from a text.
pub fn read_text(
    name: &str,
    text: &str,
    dialect: Dialect,
) -> Result<(Read, Sources), (Vec<Diagnostic>, Sources)> {
    let sources = Sources::single(name, text);
    match read(FileId(0), &sources, dialect, &ParserLimits::default()) {
        Ok(read) => Ok((read, sources)),
        Err(errors) => Err((errors, sources)),
    }
}
