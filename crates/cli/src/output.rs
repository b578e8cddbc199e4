//! Standard output and standard error of a command.

use std::io::{ErrorKind, IsTerminal, Write};

use suppose::{ExitStatus, Failure, Report};

use crate::args::{Colour, Format, OutputOptions};

/// The output and exit status of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// How the program ends.
    pub status: ExitStatus,
}

impl Output {
    /// Only this, and all went well.
    pub fn ok(stdout: impl Into<String>) -> Self {
        Output {
            stdout: stdout.into(),
            stderr: String::new(),
            status: ExitStatus::Holds,
        }
    }

    /// An error: a document on standard output for programs, diagnostics on standard error for
    /// people.
    pub fn failure(failure: &Failure, look: OutputOptions) -> Self {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        match look.format {
            Format::Json => stdout = failure.json(),
            Format::Text => stderr = failure.text(colour(look, &std::io::stderr())),
        }
        Output {
            stdout,
            stderr,
            status: failure.status,
        }
    }

    /// Adds lines to standard error.
    pub fn complain(&mut self, lines: &str) {
        if !self.stderr.is_empty() && !lines.is_empty() {
            self.stderr.push('\n');
        }
        self.stderr.push_str(lines);
    }

    /// Writes it. A reader that went away is not an error; a full disk is.
    pub fn show(&self) -> ExitStatus {
        let _ = write_line(&mut std::io::stderr(), &self.stderr);
        match write_line(&mut std::io::stdout(), &self.stdout) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(std::io::stderr(), "error: cannot write the result: {error}");
                ExitStatus::Input
            }
            _ => self.status,
        }
    }
}

fn write_line(to: &mut dyn Write, text: &str) -> std::io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    to.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        to.write_all(b"\n")?;
    }
    to.flush()
}

/// Colours on that stream?
pub fn colour(look: OutputOptions, stream: &impl IsTerminal) -> bool {
    match look.colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            stream.is_terminal() && !unwanted
        }
    }
}

/// A report for standard output, with what went wrong on standard error.
pub fn rendered(report: &Report, look: OutputOptions) -> Output {
    let mut complaints: Vec<String> = Vec::new();
    let colours = colour(look, &std::io::stderr());
    complaints.extend(report.failure().map(|f| f.text(colours)));
    complaints.extend(report.unwritten().iter().map(|u| format!("error: {u}")));
    complaints.extend(report.bug());
    Output {
        stdout: match (look.format, look.quiet) {
            (Format::Json, _) => report.json(),
            (Format::Text, true) => report.last_line(),
            (Format::Text, false) => report.text(colour(look, &std::io::stdout())),
        },
        stderr: complaints.join("\n"),
        status: report.status(),
    }
}
