//! C: programs with functions, loops and integers.
//!
//! Text to Horn clauses: the preprocessor, a parser, graphs of blocks, analyses on them, and one clause for all
//! paths between two cuts. [`CProgram`] keeps what is needed to read evidence back: which predicate represents
//! which place, and which way through the text a clause goes. `docs/c.md` says what is read and how it is
//! encoded.

mod ast;
mod encode;
mod fold;
mod ir;
mod lexer;
mod lower;
mod memory;
mod parser;
mod passes;
mod preprocess;
mod run;
mod shapes;
#[cfg(test)]
mod tests;
mod types;
mod witness;

use suppose_model::chc::Horn;
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources, Span};

pub use run::{Call, CallTree, ExecutionStep, RunResult, StepKind};
pub use types::{DataModel, IntType, Integers};
pub use witness::WitnessTask;

use encode::Encoded;
use ir::Program;
use types::Semantics;

/// What is claimed of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Claim {
    /// No assertion fails and no error is reached, on runs up to the first signed overflow.
    #[default]
    Assertions,
    /// No signed operation leaves the range of its type. Only [`Integers::Machine`] has it.
    NoOverflow,
    /// Memory is only accessed where there is some.
    ValidDeref,
    /// Only what was allocated, and not yet freed, is freed.
    ValidFree,
}

/// Options of the front-end.
#[derive(Clone, Debug)]
pub struct COptions {
    /// The semantics of integers.
    pub integers: Integers,
    /// What is claimed.
    pub claim: Claim,
    /// The data model: the size of `long`.
    pub model: DataModel,
    /// Macros that are defined before the text, as with `gcc -DN=3`.
    pub defines: Vec<(String, i64)>,
    /// Functions without loops and calls of at most this many steps are inlined.
    pub inline: usize,
    /// The limits of the parser.
    pub limits: ParserLimits,
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            integers: Integers::default(),
            claim: Claim::default(),
            model: DataModel::default(),
            defines: Vec::new(),
            inline: 8,
            limits: ParserLimits::default(),
        }
    }
}

/// A program as Horn clauses: it has no violation iff the clauses have a solution.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    program: Program,
    /// The program with its memory, if it has some, and where what became of it does more.
    written: Option<Program>,
    reasons: Vec<(String, Span)>,
    claim: Claim,
    semantics: Semantics,
    effects: passes::effects::Effects,
    encoded: Encoded,
}

impl CProgram {
    /// The clauses.
    pub fn horn(&self) -> &Horn {
        &self.encoded.horn
    }

    /// The semantics of integers.
    pub fn integers(&self) -> Integers {
        self.semantics.integers
    }

    /// What is claimed.
    pub fn claim(&self) -> Claim {
        self.claim
    }
}

/// Reads the program in a file of `sources`. One error is given at most.
pub fn read(file: FileId, sources: &Sources, options: &COptions) -> Result<CProgram, Diagnostic> {
    let text = sources.file(file).map_or("", SourceFile::text);
    options.limits.check_bytes(text.len(), "the program")?;
    let semantics = Semantics {
        model: options.model,
        integers: options.integers,
    };
    let mut texts = lexer::Texts::default();
    let tokens = lexer::lex(text, file, &mut texts)?;
    let tokens = preprocess::preprocess(&tokens, &mut texts, options.model, &options.defines)?;
    let end = Span::in_file(file, text.len(), text.len());
    let parsed = parser::parse(tokens, end, semantics, &options.limits)?;
    let lowered = lower::lower(&parsed, semantics, &options.limits)?;
    let mut program = lowered.program;
    let mut reasons = Vec::new();
    let mut written = None;
    if memory::is_needed(&program) {
        let resolved = memory::resolve(&program, semantics, options.claim);
        written = Some(std::mem::replace(&mut program, resolved.program));
        reasons = resolved.reasons;
    }
    passes::inline::inline(&mut program, options.inline);
    passes::overflow::insert(&mut program, semantics, options.claim);
    let effects = passes::effects::Effects::of(&program);
    passes::constants::propagate(&mut program, &effects, semantics);
    let effects = passes::effects::Effects::of(&program);
    let liveness = passes::liveness::Liveness::of(&program, &effects);
    // Whether there is something to ask, before the ranges may have answered it.
    let asked = effects.fails[program.root().index()];
    let ranges = passes::ranges::Ranges::of(&program, &liveness, &effects, semantics);
    passes::ranges::simplify(&mut program, &ranges, semantics);
    let effects = passes::effects::Effects::of(&program);
    let liveness = passes::liveness::Liveness::of(&program, &effects);
    passes::liveness::remove_dead(&mut program, &liveness, &effects);
    let is_bool = passes::booleans::booleans(&program);
    let encoded = encode::encode(
        &program,
        &effects,
        &liveness,
        &is_bool,
        &ranges,
        semantics,
        &options.limits,
    )?;
    let mut warnings = lowered.warnings;
    if !asked && options.claim == Claim::Assertions {
        let message = "no assertion can be violated: the program has none, or none is reached";
        warnings.push(Diagnostic::warning(end, message).help("write `assert(...)`"));
    }
    Ok(CProgram {
        warnings,
        program,
        written,
        reasons,
        claim: options.claim,
        semantics,
        effects,
        encoded,
    })
}

/// Reads a text.
// The error is made once for a file: its size does not matter.
#[allow(clippy::result_large_err)]
pub fn read_text(
    name: &str,
    text: &str,
    options: &COptions,
) -> Result<(CProgram, Sources), (Diagnostic, Sources)> {
    let sources = Sources::single(name, text);
    match read(FileId(0), &sources, options) {
        Ok(program) => Ok((program, sources)),
        Err(error) => Err((error, sources)),
    }
}
