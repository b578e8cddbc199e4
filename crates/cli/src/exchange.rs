//! `--sarif`, `--junit` and `--github`: the results of a call for other programs.

use std::io::Write;
use std::path::PathBuf;

use suppose::{ExitStatus, Failure, Outputs};
use suppose_report::{Checked, exchange};

use crate::args::ResultArgs;

impl ResultArgs {
    /// Are any asked for?
    pub fn is_any(&self) -> bool {
        self.sarif.is_some() || self.junit.is_some() || self.github
    }

    /// The files, with the options that name them.
    pub fn outputs(&self) -> Vec<(String, PathBuf)> {
        let files = [("--sarif", &self.sarif), ("--junit", &self.junit)];
        let files = files.into_iter();
        let named = files.filter_map(|(option, file)| Some((option.to_owned(), file.clone()?)));
        named.collect()
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
