//! From files to clauses.

use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_frontends::{Language, c, smtlib};
use suppose_model::chc::theory::Theory;
use suppose_model::chc::{Claim, Horn, Integers};
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::{DataModelName, IntegersName, ModelOptions};
use crate::source::{Source, known_macros};

/// Clauses, and warnings about them.
#[derive(Debug)]
pub struct ClauseSystem {
    /// The clauses.
    pub horn: Arc<Horn>,
    /// What the names in them mean, if they have some.
    pub theory: Option<Arc<Theory>>,
    /// The files.
    pub sources: Sources,
    /// What is claimed.
    pub claim: Claim,
    /// Which integers are meant, of a C program.
    pub integers: Option<Integers>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
    /// How the parameters of each predicate were declared, of clauses that were read as such.
    pub parameters: Vec<Vec<smtlib::Parameter>>,
    /// The program, when it is one.
    pub program: Option<Arc<c::CProgram>>,
}

impl ClauseSystem {
    /// Is it a claim about runs up to the first signed overflow?
    pub fn ends_at_overflow(&self) -> bool {
        self.claim == Claim::Assertions && matches!(self.integers, Some(Integers::Machine { .. }))
    }
}

/// Reads clauses or a C program, for the first of the claims about it.
pub fn read(source: &Source, model: &ModelOptions) -> Result<ClauseSystem, Failure> {
    read_for(source, model, c::Claim::Assertions)
}

/// Reads clauses or a C program, for one of the claims about it.
pub fn read_for(
    source: &Source,
    model: &ModelOptions,
    claim: c::Claim,
) -> Result<ClauseSystem, Failure> {
    let Some(file) = source.only() else {
        let failure = Failure::file("Horn clauses or a C program are one file");
        return Err(failure.help("give one file"));
    };
    let is_c = source.language_of(file, model.language)? == Language::C;
    let limits = ParserLimits::default();
    let (text, read) = source.read_model(file, limits.bytes)?;
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(read.file.clone(), text));
    let models = vec![read];
    if is_c {
        known_macros(&model.constants, &sources)?;
        return program(id, sources, models, &options(model, claim));
    }
    match smtlib::read(id, &sources, &limits) {
        Ok(read) => Ok(ClauseSystem {
            horn: Arc::new(read.horn),
            theory: read.theory.map(Arc::new),
            sources,
            claim: Claim::Queries,
            integers: None,
            parameters: read.parameters,
            warnings: read.warnings,
            models,
            program: None,
        }),
        Err(diagnostics) => Err(failed(&sources, diagnostics)),
    }
}

fn failed(sources: &Sources, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure {
        status: ExitStatus::Input,
        sources: sources.clone(),
        diagnostics,
    }
}

/// How a C program is read.
fn options(model: &ModelOptions, claim: c::Claim) -> c::COptions {
    c::COptions {
        integers: match (model.integers, model.wrap) {
            (Some(IntegersName::Wrap), _) | (None, true) => c::Integers::Wrap,
            (Some(IntegersName::Mathematical), _) => c::Integers::Mathematical,
            (Some(IntegersName::Machine) | None, _) => c::Integers::Machine,
        },
        model: match model.data_model {
            Some(DataModelName::Ilp32) => c::DataModel::Ilp32,
            Some(DataModelName::Lp64) | None => c::DataModel::Lp64,
        },
        claim,
        defines: model.constants.clone(),
        ..c::COptions::default()
    }
}

fn program(
    id: FileId,
    sources: Sources,
    models: Vec<Model>,
    options: &c::COptions,
) -> Result<ClauseSystem, Failure> {
    let read = c::read(id, &sources, options);
    let program = read.map_err(|d| failed(&sources, vec![d]))?;
    Ok(ClauseSystem {
        horn: Arc::new(program.horn().clone()),
        theory: None,
        sources,
        claim: match options.claim {
            c::Claim::Assertions => Claim::Assertions,
            c::Claim::NoOverflow => Claim::NoOverflow,
            c::Claim::ValidDeref => Claim::ValidDeref,
            c::Claim::ValidFree => Claim::ValidFree,
        },
        integers: Some(integers(options)),
        parameters: Vec::new(),
        warnings: program.warnings.clone(),
        models,
        program: Some(Arc::new(program)),
    })
}

fn integers(options: &c::COptions) -> Integers {
    let long = match options.model {
        c::DataModel::Ilp32 => 32,
        c::DataModel::Lp64 => 64,
    };
    match options.integers {
        c::Integers::Machine => Integers::Machine { long },
        c::Integers::Wrap => Integers::Wrap { long },
        c::Integers::Mathematical => Integers::Mathematical,
    }
}
