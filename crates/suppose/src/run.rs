//! A run under its limits: a worker thread, supervised by the calling thread.

use std::path::PathBuf;
use std::sync::Arc;

use suppose_control::Observer;
use suppose_model::Reason;

use crate::failure::Failure;
use crate::options::{Limits, ModelOptions};
use crate::progress::Counters;
use crate::report::Report;
use crate::session::Session;
use crate::source::Source;
use crate::watch::{Ended, Watch};

/// The observer of a run.
pub type Watcher = Arc<dyn Observer + Send + Sync>;

/// What a command reads and writes.
pub(crate) struct Files {
    read: Vec<PathBuf>,
    names: Vec<String>,
    written: Vec<(String, PathBuf)>,
}

impl Files {
    /// The files of a model, and the output files with the options that name them.
    pub fn of(source: &Source, model: &ModelOptions, written: &[(&str, Option<&PathBuf>)]) -> Self {
        let more = &model.property_file;
        let beside = model.markov.spec.iter().chain(&model.markov.acts);
        let read = source.paths().iter().chain(more).chain(beside);
        let names = source.paths().iter().chain(more);
        let written = written.iter().filter_map(|(option, path)| {
            let path = path.cloned()?;
            Some(((*option).to_owned(), path))
        });
        Files {
            read: read.cloned().collect(),
            names: names.map(|f| crate::source::name(f)).collect(),
            written: written.collect(),
        }
    }

    /// The names of the model's files.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds another input file.
    pub fn reading(mut self, path: Option<&PathBuf>) -> Self {
        self.read.extend(path.cloned());
        self
    }
}

/// Runs a command. If the worker has to be abandoned, the result is an error.
pub(crate) fn work<T: Send + 'static>(
    limits: Limits,
    watcher: Watcher,
    files: Files,
    job: impl FnOnce(&Session) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (session, ended) = watched(limits, watcher, files, job)?;
    match ended {
        Ended::Finished(result) => result,
        Ended::Panicked(message) => Err(Failure::internal(message)),
        Ended::Abandoned(why) => {
            session.files.give_up();
            Err(Failure::limit(why))
        }
    }
}

/// Runs a command that decides claims. If the worker has to be abandoned, the claims that are open become `unknown`.
pub(crate) fn verdicts(
    limits: Limits,
    watcher: Watcher,
    files: Files,
    job: impl FnOnce(&Session) -> Result<(), Failure> + Send + 'static,
) -> Result<Report, Failure> {
    let (session, ended) = watched(limits, watcher, files, job)?;
    let reason = match ended {
        Ended::Finished(Ok(())) => return Ok(session.report()),
        Ended::Finished(Err(failure)) => return after(&session, failure),
        Ended::Panicked(message) => Reason::Internal(message),
        Ended::Abandoned(why) => Reason::from(why),
    };
    session.files.give_up();
    let found = session.snapshot();
    if let (Reason::Internal(message), None) = (&reason, &found.state) {
        return Err(Failure::internal(message));
    }
    if found.state.is_some() && found.is_decided() {
        session.warn([format!("{} before everything was written", reason.word())]);
    }
    session.give_up(&reason);
    Ok(session.report())
}

/// After a failure. Verdicts that were found before are reported all the same.
fn after(session: &Session, failure: Failure) -> Result<Report, Failure> {
    if !session.snapshot().has_verdicts() {
        return Err(failure);
    }
    session.warn([failure.first()]);
    session.give_up(&Reason::Unsupported(failure.first()));
    Ok(session.report().after(failure))
}

fn watched<T: Send + 'static>(
    limits: Limits,
    watcher: Watcher,
    files: Files,
    job: impl FnOnce(&Session) -> T + Send + 'static,
) -> Result<(Session, Ended<T>), Failure> {
    let counters = Arc::new(Counters::told(watcher));
    let session = Session::new(Watch::new(limits), Arc::clone(&counters));
    session.files.probe(&files.read, &files.written)?;
    session.reads(files.names);
    let own = session.clone();
    let ended = session.watch.run(&*counters, move || job(&own));
    Ok((session, ended))
}
