//! PROMELA, the language of SPIN.
//!
//! Text to [`Program`]: the preprocessor, then a parser that puts inlines in, then a lowering that
//! links the statements as SPIN does, so that one edge is one of SPIN's steps.

mod ast;
mod lexer;
mod lower;
mod parser;
mod preprocess;
mod semicolons;

use suppose_model::program::Program;
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources, Span};

use crate::Undecided;

/// What was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The program.
    pub program: Program,
    /// What to look at again.
    pub warnings: Vec<Diagnostic>,
    /// What the program asks that is not decided here.
    pub undecided: Vec<Undecided>,
    /// Where the proctypes are written, in the order of [`Program::proctypes`].
    pub processes: Vec<ProcessText>,
}

/// Where a proctype is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessText {
    /// Its name.
    pub name: String,
    /// From `active` or `proctype` to the closing brace.
    pub span: Span,
    /// From brace to brace.
    pub body: Span,
}

/// Reads the program in a file of `sources`.
///
/// `includes` gives the text of an included file by its name as written; names that leave the
/// folder are refused before it is asked. Included files are added to `sources`. `defines` are
/// macros, as with `spin -DN=3`.
pub fn read(
    file: FileId,
    sources: &mut Sources,
    includes: &mut dyn FnMut(&str) -> Result<String, String>,
    defines: &[(String, i64)],
    limits: &ParserLimits,
) -> Result<Read, Vec<Diagnostic>> {
    let mut names = lexer::Names::default();
    let lexemes = preprocess::preprocess(file, sources, includes, &mut names, defines, limits)
        .map_err(|error| vec![error])?;
    if lexemes.len() <= 1 {
        return Err(vec![
            Diagnostic::error_without_place("the program is empty")
                .help("write a process: `active proctype P() { ... }`"),
        ]);
    }
    let lexemes = semicolons::insert(lexemes);
    let (ast, mut warnings) = parser::parse(lexemes, &mut names, sources, limits)?;
    let name = sources.file(file).map_or("", SourceFile::stem).to_owned();
    let output = lower::lower(&ast, name, &names, sources, limits)?;
    warnings.extend(output.warnings);
    let processes = ast.proctypes.iter().map(|p| ProcessText {
        name: names.text(p.name.name).to_owned(),
        span: p.span,
        body: p.body_span,
    });
    Ok(Read {
        program: output.program,
        warnings,
        undecided: output.undecided,
        processes: processes.collect(),
    })
}

/// Reads a program that includes no files.
pub fn read_text(name: &str, text: &str) -> Result<(Read, Sources), (Vec<Diagnostic>, Sources)> {
    let mut sources = Sources::single(name, text);
    let mut none = |_: &str| Err("there are no other files".to_owned());
    match read(
        FileId(0),
        &mut sources,
        &mut none,
        &[],
        &ParserLimits::default(),
    ) {
        Ok(read) => Ok((read, sources)),
        Err(errors) => Err((errors, sources)),
    }
}
