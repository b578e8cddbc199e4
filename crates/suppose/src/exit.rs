//! How the program ends.

use std::process::ExitCode;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Every claim holds; for commands other than `check`, success.
    Holds = 0,
    /// The command line is wrong.
    Usage = 1,
    /// An input cannot be read or is malformed, or an output cannot be written.
    Input = 2,
    /// Stopped by the limit on time or memory, or by the user.
    Limit = 3,
    /// The independent checker rejected evidence.
    Rejected = 4,
    /// Not decided, for another reason than a limit.
    Unknown = 5,
    /// A bug.
    Internal = 6,
    /// A claim is violated.
    Violated = 10,
    /// A verdict is not the expected one.
    Unexpected = 11,
}

impl ExitStatus {
    /// All of them, worst first: a violation is certain whatever else failed, and what is not known comes before `holds`.
    pub const WORST_FIRST: [ExitStatus; 9] = [
        ExitStatus::Violated,
        ExitStatus::Rejected,
        ExitStatus::Internal,
        ExitStatus::Input,
        ExitStatus::Usage,
        ExitStatus::Unexpected,
        ExitStatus::Limit,
        ExitStatus::Unknown,
        ExitStatus::Holds,
    ];

    /// The status with that number.
    pub fn numbered(number: u8) -> Option<ExitStatus> {
        let mut all = ExitStatus::WORST_FIRST.into_iter();
        all.find(|s| s.number() == number)
    }

    /// The status of several runs together: the worst.
    pub fn worst(all: impl IntoIterator<Item = ExitStatus>) -> Option<ExitStatus> {
        let rank = |s: &ExitStatus| ExitStatus::WORST_FIRST.iter().position(|o| o == s);
        all.into_iter().min_by_key(rank)
    }

    /// The number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// As a word, for JSON.
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
            ExitStatus::Unexpected => "unexpected verdict",
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status.number())
    }
}
