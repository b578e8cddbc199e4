//! What a run found, for people and for programs.

use std::path::PathBuf;
use std::time::Duration;

use suppose_report::{Document, Frame};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::Limits;
use crate::process;
use crate::session::{ClaimResult, Found, Session};
use crate::simulate::Transcript;
use crate::steps::Failed;
use crate::watch::Watch;

/// The result of a run: verdicts with their evidence, warnings, sizes and times.
pub struct Report {
    found: Found,
    elapsed: Duration,
    peak_memory: Option<u64>,
    limits: Limits,
    failure: Option<Failure>,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report")
            .field("claims", &self.claims())
            .field("last_line", &self.last_line())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A report on what is known now.
    pub(crate) fn report(&self) -> Report {
        Report::new(self.snapshot(), &self.watch)
    }

    /// Writes the page that was asked for.
    pub(crate) fn write_report(&self, path: Option<&PathBuf>) {
        if let Some(path) = path {
            self.counters.begin("writing the report");
            let page = self.report().html();
            self.written(self.files.write(path, page.as_bytes()));
        }
    }
}

impl Report {
    pub(crate) fn new(found: Found, watch: &Watch) -> Report {
        Report {
            found,
            elapsed: watch.elapsed(),
            peak_memory: process::peak_resident(),
            limits: watch.limits(),
            failure: None,
        }
    }

    /// The same after a failure that did not prevent all verdicts.
    pub(crate) fn after(mut self, failure: Failure) -> Report {
        self.failure = Some(failure);
        self
    }

    /// The exit status: the worst of all verdicts.
    pub fn status(&self) -> ExitStatus {
        self.found.status()
    }

    /// The result of every claim that an engine worked on.
    pub fn claims(&self) -> Vec<ClaimResult> {
        self.found.state.as_ref().map_or(Vec::new(), |s| s.claims())
    }

    /// The files that were read.
    pub fn files(&self) -> &[String] {
        &self.found.files
    }

    /// Warnings for the user.
    pub fn warnings(&self) -> &[String] {
        &self.found.warnings
    }

    /// Results that could not be written.
    pub fn unwritten(&self) -> &[String] {
        &self.found.unwritten
    }

    /// The failure, if verdicts were found in spite of it.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Follows the counterexample of the first claim that is violated, step by step.
    pub fn replay(&self) -> Option<Result<Transcript, Failed>> {
        self.found.state.as_ref()?.replay(None)
    }

    /// Follows the counterexample of that claim; none if it has no run to follow.
    pub fn replay_of(&self, claim: &str) -> Option<Result<Transcript, Failed>> {
        self.found.state.as_ref()?.replay(Some(claim))
    }

    /// Definitions of all predicates that make the clauses true, as SMT-LIB's `get-model` prints them; none if there are none, or if
    /// they cannot be written over the predicates as they were declared.
    pub fn definitions(&self) -> Option<String> {
        self.found.state.as_ref()?.definitions()
    }

    /// The message for an internal error, if there was one.
    pub fn bug(&self) -> Option<String> {
        let what = self.found.state.as_ref()?.bug()?;
        Some(format!(
            "bug: {what}\nPlease report it with the input and the command line."
        ))
    }

    /// `holds`, `violated(<claim>)` or `unknown(<reason>)`: the worst verdict of all.
    pub fn last_line(&self) -> String {
        self.document().last_line()
    }

    /// For a terminal; the last line is the verdict.
    pub fn text(&self, colour: bool) -> String {
        let document = self.document();
        let text = document.text(colour, self.found.full);
        format!("{text}{}", document.last_line())
    }

    /// As one JSON document with a versioned schema.
    pub fn json(&self) -> String {
        self.document().json()
    }

    /// As one self-contained HTML page.
    pub fn html(&self) -> String {
        self.document().html()
    }

    fn document(&self) -> Document<'_> {
        let found = &self.found;
        let frame = Frame {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: found.files.clone(),
            undecided: found.undecided.clone(),
            warnings: found.warnings.clone(),
            seed: self.limits.seed,
            elapsed: self.elapsed,
            peak_memory: self.peak_memory,
            limits: (self.limits.timeout, self.limits.memory),
        };
        match &found.state {
            Some(state) => state.describe(frame, found.network.as_deref()),
            None => Document::empty(frame),
        }
    }
}
