//! FSP, the language of LTSA (Magee and Kramer, "Concurrency: State Models and Java Programs").
//!
//! `lexer` and `parser` give the tree of `ast`; `check` collects the definitions; `eval` knows the
//! values of expressions and the labels that label expressions represent; `lower` makes a network
//! of small components. What LTSA's own sources settle about the meaning is noted where it matters.

mod ast;
mod check;
mod eval;
mod lexer;
mod lower;
mod parser;
mod value;

use suppose_model::lts::Network;
use suppose_source::{Diagnostic, FileId};

use crate::{LoadOptions, Undecided};

pub(crate) use lower::Imported;

/// A system read from one FSP file.
#[derive(Clone, Debug)]
pub struct Read {
    /// The system, closed.
    pub network: Network,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Claims that are not decided.
    pub undecided: Vec<Undecided>,
}

/// Reads the system that a text defines; spans point into `file`.
pub fn read(text: &str, file: FileId, options: &LoadOptions) -> Result<Read, Diagnostic> {
    read_with(text, file, &[], options)
}

/// The names of the files that a text imports, as they are written; none if it is no FSP.
pub fn imports(text: &str, options: &LoadOptions) -> Vec<String> {
    let items = parser::parse(text, FileId(0), &options.limits).unwrap_or_default();
    let import = |item: &ast::Item| match item {
        ast::Item::Import(import) => Some(import.file.text.to_string()),
        _ => None,
    };
    items.iter().filter_map(import).collect()
}

/// Reads a text that imports files.
pub(crate) fn read_with(
    text: &str,
    file: FileId,
    imports: &[Imported<'_>],
    options: &LoadOptions,
) -> Result<Read, Diagnostic> {
    let items = parser::parse(text, file, &options.limits)?;
    if !items.iter().any(|i| {
        matches!(
            i,
            ast::Item::Process(_) | ast::Item::Composite(_) | ast::Item::Import(_)
        )
    }) {
        let message = match items.is_empty() {
            true => "the file is empty",
            false => "the file defines no process",
        };
        return Err(
            Diagnostic::error_without_place(message).help("define a process: `P = (a -> P).`")
        );
    }
    let definitions = check::Definitions::collect(&items, options.limits, &options.constants)?;
    let system = lower::lower(
        &definitions,
        imports,
        options.system.as_deref(),
        &options.constants,
        options.fairness,
    )?;
    Ok(Read {
        network: system.network,
        warnings: system.warnings,
        undecided: system.undecided,
    })
}
