//! Failures of commands.

use serde_json::json;
use suppose_control::{Refusal, Stopped};
use suppose_frontends::Failed;
use suppose_source::{Diagnostic, Sources};

use crate::exit::ExitStatus;
use crate::steps;

/// Why a command failed, as diagnostics.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The exit status.
    pub status: ExitStatus,
    /// The files the diagnostics point into.
    pub sources: Sources,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::usage(refusal.message).help(refusal.help)
    }
}

impl Failure {
    /// One diagnostic without a place.
    pub fn new(status: ExitStatus, diagnostic: Diagnostic) -> Self {
        Failure {
            status,
            sources: Sources::new(),
            diagnostics: vec![diagnostic],
        }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::new(ExitStatus::Usage, Diagnostic::error_without_place(message))
    }

    /// A file cannot be read or written.
    pub fn file(message: impl Into<String>) -> Self {
        Failure::new(ExitStatus::Input, Diagnostic::error_without_place(message))
    }

    /// A bug.
    pub fn internal(message: impl std::fmt::Display) -> Self {
        let text = format!("internal error: {message}");
        let diagnostic = Diagnostic::error_without_place(text)
            .help("this is a bug: please report it with the input and the command line");
        Failure::new(ExitStatus::Internal, diagnostic)
    }

    /// A limit was reached.
    pub fn limit(why: Stopped) -> Self {
        let text = match why {
            Stopped::Timeout | Stopped::Superseded => "the time limit was reached",
            Stopped::Memory => "the memory limit was reached",
            Stopped::Interrupted => "interrupted",
            Stopped::Iterations => "the limit on refinement rounds was reached",
        };
        Failure::new(ExitStatus::Limit, Diagnostic::error_without_place(text))
    }

    /// The command line names something that is not there. `plural` is what such things are called, as in "the properties".
    pub fn unknown_name<'a>(
        what: &str,
        plural: &str,
        name: &str,
        all: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        const SHOWN: usize = 30;
        let all: Vec<&str> = all.into_iter().collect();
        let mut failure = Failure::usage(format!("there is no {what} `{name}`"));
        if let Some(near) = suppose_source::nearest(name, all.iter().copied()) {
            failure = failure.help(format!("did you mean `{near}`?"));
        }
        let more = match all.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown: Vec<&str> = all.iter().copied().take(SHOWN).collect();
        failure.help(match (all.is_empty(), plural.strip_prefix("the ")) {
            (true, Some(plural)) => format!("there are no {plural}"),
            (true, None) => "there are none".to_owned(),
            (false, _) => format!("{plural} are {}{more}", shown.join(", ")),
        })
    }

    /// With a hint.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics.push(last.help(text));
        }
        self
    }

    /// What the first diagnostic says.
    pub fn first(&self) -> String {
        let first = self.diagnostics.first();
        first.map_or(String::new(), |d| d.message.clone())
    }

    /// For people, on standard error.
    pub fn text(&self, colour: bool) -> String {
        let shown = self.diagnostics.iter();
        let lines: Vec<String> = shown.map(|d| d.render(&self.sources, colour)).collect();
        lines.join("\n\n")
    }

    /// For programs: the document of an error.
    pub fn json(&self) -> String {
        let shown = self.diagnostics.iter();
        let records: Vec<_> = shown.map(|d| d.to_record(&self.sources)).collect();
        let document = json!({
            "schema": "suppose-error",
            "schema_version": suppose_report::SCHEMA_VERSION,
            "version": env!("CARGO_PKG_VERSION"),
            "error": self.status.word(),
            "exit_status": self.status.number(),
            "diagnostics": records,
        });
        format!("{document:#}")
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        Failure {
            status: ExitStatus::Input,
            sources: failed.sources,
            diagnostics: failed.diagnostics,
        }
    }
}

impl Failure {
    /// A simulation that failed; `limit` is what stopped the run, if it was stopped.
    pub(crate) fn walk(failed: steps::Failed, limit: Option<Stopped>) -> Failure {
        match failed {
            steps::Failed::Stopped => Failure::limit(limit.unwrap_or(Stopped::Timeout)),
            steps::Failed::Model(why) => Failure::file(why),
            steps::Failed::Run(why) | steps::Failed::Internal(why) => Failure::internal(why),
        }
    }
}
