//! From files to finite-domain systems.

use std::path::Path;
use std::sync::Arc;

use suppose_certify::fsm::file::Origin;
use suppose_control::{Context, Supervisor, catch};
use suppose_frontends::smv::{self, Dialect};
use suppose_model::fsm::{Subject, System};
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources};
use suppose_symbolic::prepare;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::ModelOptions;
use crate::session::Session;
use crate::source::Source;

/// More values of an example are left out.
const EXAMPLE: usize = 8;

/// A system, and what was noticed while reading it.
#[derive(Debug)]
pub struct SmvModel {
    /// The system.
    pub system: Arc<System>,
    /// The files.
    pub sources: Sources,
    /// What to look at again.
    pub warnings: Vec<Diagnostic>,
    /// Names and hashes of the files, and the dialect.
    pub origin: Origin,
}

/// Reads a model.
pub fn read(source: &Source, model: &ModelOptions) -> Result<SmvModel, Failure> {
    let Some(file) = source.only() else {
        let failure = Failure::file("an SMV model is one file");
        return Err(failure.help("its modules are all in it, `main` among them"));
    };
    read_one(source, file, model.smv.dialect.unwrap_or_default().into())
}

fn read_one(source: &Source, file: &Path, dialect: Dialect) -> Result<SmvModel, Failure> {
    let limits = ParserLimits::default();
    let (text, model) = source.read_model(file, limits.bytes)?;
    let name = model.file.clone();
    let origin = Origin {
        models: vec![model],
        dialect,
    };
    let mut sources = Sources::new();
    let id: FileId = sources.add(SourceFile::new(name, text));
    match smv::read(id, &sources, dialect, &limits) {
        Ok(read) => Ok(SmvModel {
            system: Arc::new(read.system),
            sources,
            warnings: read.warnings,
            origin,
        }),
        Err(diagnostics) => Err(Failure {
            status: ExitStatus::Input,
            sources,
            diagnostics: hinted(diagnostics, dialect),
        }),
    }
}

/// A file of the old dialect fails in ways that do not say how to read it.
fn hinted(errors: Vec<Diagnostic>, dialect: Dialect) -> Vec<Diagnostic> {
    let old = |d: &Diagnostic| d.help.iter().any(|h| h.contains("old dialect"));
    let hint = |d: Diagnostic| match dialect == Dialect::NuSmv && old(&d) {
        true => d.help("--dialect old reads it"),
        false => d,
    };
    errors.into_iter().map(hint).collect()
}

/// Looks whether every expression has a value under every valuation; else the system makes no sense.
pub fn sound(
    system: &SmvModel,
    cx: &Context,
) -> Result<Result<(), Failure>, suppose_model::Reason> {
    let found = match catch(|| prepare::obligations(&system.system, cx)) {
        Err(message) => return Err(suppose_model::Reason::Internal(message)),
        Ok(Err(stopped)) => return Err(stopped.into()),
        Ok(Ok(found)) => found,
    };
    let Some(broken) = found else {
        return Ok(Ok(()));
    };
    let it = &system.system;
    let Some(obligation) = it.obligations.get(broken.obligation) else {
        return Ok(Ok(()));
    };
    let message = match obligation.subject {
        Subject::Expression(_) => "this expression does not always have a value".to_owned(),
        Subject::Assignment(var, _) => {
            let variable = it.variable(var);
            format!(
                "what is assigned to `{}` is not always a value of its type {}",
                variable.name,
                variable.ty.show(&it.symbols)
            )
        }
    };
    let mut diagnostic = Diagnostic::error(obligation.span, message)
        .label("expected a value under every valuation of the variables")
        .help("guard it by a `case`; reachable or not, all valuations count, as in NuSMV");
    let shown: Vec<String> = broken
        .values
        .iter()
        .take(EXAMPLE)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if !shown.is_empty() {
        diagnostic = diagnostic.help(format!("it happens when {}", shown.join(", ")));
    }
    Ok(Err(Failure {
        status: ExitStatus::Input,
        sources: system.sources.clone(),
        diagnostics: vec![diagnostic],
    }))
}

/// A system that makes sense, for commands without a verdict.
pub fn read_sound(
    source: &Source,
    model: &ModelOptions,
    session: &Session,
) -> Result<SmvModel, Failure> {
    let system = read(source, model)?;
    match sound(&system, &session.context()) {
        Ok(Ok(())) => Ok(system),
        Ok(Err(failure)) => Err(failure),
        Err(reason) => Err(match session.watch.over() {
            Some(why) => Failure::limit(why),
            None => Failure::internal(reason.word()),
        }),
    }
}
