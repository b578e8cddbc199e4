//! From files to clauses.

use std::path::PathBuf;
use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_frontends::{Language, c, smtlib};
use suppose_model::horn::Horn;
use suppose_report::HornKind;
use suppose_source::{Diagnostic, ParserLimits, SourceFile, Sources};

use crate::args::ModelArgs;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input;

/// Clauses, and what was noticed while reading them.
#[derive(Debug)]
pub struct HornSystem {
    /// The clauses.
    pub horn: Arc<Horn>,
    /// The files.
    pub sources: Sources,
    /// What they were made from.
    pub kind: HornKind,
    /// What to look at again.
    pub warnings: Vec<Diagnostic>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
    /// The program, when it is one.
    pub program: Option<c::CProgram>,
}

/// Reads clauses or a C program.
pub fn read(files: &[PathBuf], model: &ModelArgs) -> Result<HornSystem, Failure> {
    let [file] = files else {
        let failure = Failure::file("Horn clauses or a C program are one file");
        return Err(failure.help("give one file"));
    };
    let is_c = input::language_of(file, model)? == Language::C;
    let limits = ParserLimits::default();
    let (text, read) = input::read_model(file, limits.bytes)?;
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(read.file.clone(), text));
    let models = vec![read];
    let failed = |sources: &Sources, diagnostics: Vec<Diagnostic>| Failure {
        status: ExitStatus::Input,
        sources: sources.clone(),
        diagnostics,
    };
    if !is_c {
        let read = smtlib::read(id, &sources, &limits).map_err(|d| failed(&sources, d))?;
        return Ok(HornSystem {
            horn: Arc::new(read.horn),
            sources,
            kind: HornKind::Clauses,
            warnings: read.warnings,
            models,
            program: None,
        });
    }
    let options = c::Options {
        wrap: model.wrap,
        defines: model.constants.clone(),
        limits,
        ..c::Options::default()
    };
    input::known_macros(&model.constants, &sources)?;
    let program = c::read(id, &sources, &options).map_err(|d| failed(&sources, vec![d]))?;
    Ok(HornSystem {
        horn: Arc::new(program.horn().clone()),
        sources,
        kind: HornKind::C {
            wrap: program.wraps(),
        },
        warnings: program.warnings.clone(),
        models,
        program: Some(program),
    })
}
