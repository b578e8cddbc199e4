//! How the program ends.

use std::process::ExitCode;

/// The exit status: a script can tell every way to end from every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Everything asked holds; or, for other commands than `check`, all went well.
    Holds = 0,
    /// The command line makes no sense.
    Usage = 1,
    /// An input cannot be read or makes no sense, or an output cannot be written.
    Input = 2,
    /// The limit on time or memory, or the user, ended it.
    Limit = 3,
    /// Evidence did not pass the independent check.
    Rejected = 4,
    /// Not decided, for another reason than a limit.
    Unknown = 5,
    /// A bug.
    Internal = 6,
    /// Something asked does not hold.
    Violated = 10,
}

impl ExitStatus {
    /// The number the shell sees.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            ExitStatus::Holds => "holds",
            ExitStatus::Usage => "usage error",
            ExitStatus::Input => "input error",
            ExitStatus::Limit => "resource limit",
            ExitStatus::Rejected => "certificate rejected",
            ExitStatus::Unknown => "unknown",
            ExitStatus::Internal => "internal error",
            ExitStatus::Violated => "violated",
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status.number())
    }
}
