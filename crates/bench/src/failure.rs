//! Why nothing was measured.

use std::fmt::Display;
use std::process::ExitCode;

/// What went wrong, and how the program ends; the numbers are those of `suppose`.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    message: String,
    help: Vec<String>,
}

impl Failure {
    fn new(status: u8, message: String) -> Self {
        let help = Vec::new();
        Failure {
            status,
            message,
            help,
        }
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::new(1, message.into())
    }

    /// A file or program is not there, or cannot be read, written or run.
    pub fn file(message: impl Into<String>) -> Self {
        Failure::new(2, message.into())
    }

    /// A bug: in this program, or one that a measurement brought to light.
    pub fn internal(message: impl Display) -> Self {
        Failure::new(6, format!("internal error: {message}"))
            .help("this is a bug: please report it with the command line")
    }

    /// With a hint.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// The exit status.
    pub fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error: {}", self.message)?;
        self.help.iter().try_for_each(|h| write!(f, "\nhelp: {h}"))
    }
}
