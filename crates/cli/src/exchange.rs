//! `--sarif`, `--junit` and `--github`: the results of a call for other programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose::{ExitStatus, Failure, Outputs};
use suppose_report::{Checked, exchange};

use crate::args::{Format, OutputOptions, ResultArgs};
use crate::events::Events;

impl ResultArgs {
    /// Are any asked for?
    pub fn is_any(&self) -> bool {
        self.sarif.is_some() || self.junit.is_some() || self.events.is_some() || self.github
    }

    /// Where events go, if they are asked for.
    pub fn events(&self, look: OutputOptions) -> Result<Option<Arc<Events>>, Failure> {
        if self.are_on_stdout() && look.format == Format::Json {
            let failure = Failure::usage("--events - and --format json both use standard output");
            return Err(failure.help("write the events to a file"));
        }
        self.events.as_deref().map(Events::open).transpose()
    }

    /// Do events take the place of the text?
    pub fn are_on_stdout(&self) -> bool {
        self.events.as_deref() == Some(Path::new("-"))
    }

    /// The files, with the options that name them.
    pub fn outputs(&self) -> Vec<(String, PathBuf)> {
        let files = [
            ("--sarif", &self.sarif),
            ("--junit", &self.junit),
            ("--events", &self.events),
        ];
        let files = files.into_iter();
        let named = files.filter_map(|(option, file)| Some((option.to_owned(), file.clone()?)));
        named.filter(|(_, path)| path != Path::new("-")).collect()
    }

    /// Writes them all. Returns what could not be written; the verdicts stay what they are.
    pub fn write(&self, checked: &[Checked], status: ExitStatus) -> Vec<Failure> {
        let outputs = Outputs::default();
        let mut failures = Vec::new();
        if let Some(path) = &self.sarif {
            let text = exchange::sarif(checked, env!("CARGO_PKG_VERSION"), status.number());
            failures.extend(outputs.write(path, text.as_bytes()).err());
        }
        if let Some(path) = &self.junit {
            let text = exchange::junit(checked);
            failures.extend(outputs.write(path, text.as_bytes()).err());
        }
        if self.github {
            // Standard output has the verdict as its last line; the runner reads both.
            let text = exchange::annotations(checked);
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        failures
    }

    /// The same, with the failures as lines for standard error.
    pub fn tell(&self, checked: &[Checked], status: ExitStatus) -> String {
        let failures = self.write(checked, status);
        let lines = failures.iter().map(|f| format!("error: {}", f.first()));
        lines.collect::<Vec<_>>().join("\n")
    }
}
