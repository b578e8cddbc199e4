//! From PROMELA files to a program.
//!
//! Files that a program includes are read from its own folder and from nowhere else: a model from a
//! stranger must not be able to show what is in other files.

use std::collections::BTreeMap;
use std::path::Path;

use suppose_certify::file::Model;
use suppose_control::{Context, Supervisor};
use suppose_explicit::decompose::{self, Decomposed, DecompositionLimits};
use suppose_frontends::{Language, Loaded, Undecided, promela};
use suppose_model::program::Program;
use suppose_source::{Diagnostic, ParserLimits, SourceFile, Sources};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::kinds::network::read::System;
use crate::options::ModelOptions;
use crate::session::Session;
use crate::source::{Source, known_macros};

/// A program, and warnings about it.
#[derive(Debug)]
pub struct ProgramSystem {
    /// The program.
    pub program: Program,
    /// The files.
    pub sources: Sources,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Claims of the program that no engine decides.
    pub undecided: Vec<Undecided>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
    /// Where the proctypes are written.
    pub processes: Vec<promela::ProcessText>,
}

/// Reads a program and the files with its claims.
pub fn read(source: &Source, model: &ModelOptions) -> Result<ProgramSystem, Failure> {
    let Some(file) = source.only() else {
        let failure = Failure::file("a PROMELA program is one file");
        return Err(failure.help("a file with claims is given by --property-file"));
    };
    let limits = ParserLimits::default();
    let (mut text, read) = source.read_model(file, limits.bytes)?;
    let name = read.file.clone();
    let mut models = vec![read];
    let mut given = BTreeMap::new();
    for path in &model.property_file {
        let (name, contents) = property_file(source, path, &limits)?;
        models.push(Model::of(path.display().to_string(), contents.as_bytes()));
        // The claims come after the program as a file of their own, so that messages name it.
        text.push_str(&format!("\n#include \"{name}\""));
        given.insert(name, contents);
    }
    text.push('\n');
    let mut sources = Sources::new();
    let id = sources.add(SourceFile::new(name, text));
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut included = Vec::new();
    let mut includes = |name: &str| -> Result<String, String> {
        if let Some(contents) = given.get(name) {
            return Ok(contents.clone());
        }
        let contents = source.read_beside(&folder, name, limits.bytes)?;
        included.push(Model::of(name, contents.as_bytes()));
        Ok(contents)
    };
    let result = promela::read(id, &mut sources, &mut includes, &model.constants, &limits);
    models.extend(included);
    if result.is_ok() {
        known_macros(&model.constants, &sources)?;
    }
    match result {
        Ok(read) => Ok(ProgramSystem {
            program: read.program,
            sources,
            warnings: read.warnings,
            undecided: read.undecided,
            models,
            processes: read.processes,
        }),
        Err(diagnostics) => Err(Failure {
            status: ExitStatus::Input,
            sources,
            diagnostics,
        }),
    }
}

/// A file with claims: its name without folders, and its text.
fn property_file(
    source: &Source,
    path: &Path,
    limits: &ParserLimits,
) -> Result<(String, String), Failure> {
    let shown = path.display().to_string();
    if matches!(Language::of(&shown), Some(other) if other != Language::Promela) {
        let failure = Failure::file(format!("`{shown}` is not a PROMELA claim"));
        return Err(failure.help(
            "write it as `ltl` or `never` in a file that ends in .pml, .prop, .ltl or .never",
        ));
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.unwrap_or_default().replace(['"', '\n', '\r'], "_");
    Ok((name, source.read(path, limits.bytes)?))
}

/// The network of a program, for what works on networks only.
pub fn network(
    source: &Source,
    model: &ModelOptions,
    session: &Session,
) -> Result<System, Failure> {
    let system = read(source, model)?;
    let parts = take_apart(&system.program, &session.context()).map_err(|why| match why {
        decompose::DecompositionError::Stopped(why) => Failure::limit(why),
        decompose::DecompositionError::Refused(refusal) => {
            let failure = Failure::file(format!(
                "the program cannot be decomposed into components: {}",
                refusal.why
            ));
            failure.help("`suppose check` decides it by explicit-state search")
        }
    })?;
    Ok(System {
        loaded: Loaded {
            network: parts.network,
            sources: system.sources,
            warnings: system.warnings,
            undecided: system.undecided,
        },
        models: system.models,
    })
}

/// Decomposes a program.
pub fn take_apart(
    program: &Program,
    cx: &Context,
) -> Result<Decomposed, decompose::DecompositionError> {
    decompose::decompose(program, DecompositionLimits::default(), cx)
}
