//! Why a search ends without a verdict.

use std::io;
use std::path::Path;

use suppose_control::Stopped;

/// Why a search ends without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It was told to stop.
    Stopped(Stopped),
    /// The folder cannot be used any further: the disk is full, for instance. What was saved before is still there.
    Disk(String),
    /// What is in the folder is no search, one of another model or version, or damaged.
    Refused(String),
    /// This cannot be explored.
    Unsupported(String),
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Trouble {
        Trouble::Stopped(stopped)
    }
}

impl Trouble {
    /// A failed operation on a file.
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Trouble {
        Trouble::Disk(format!("cannot {what} `{}`: {error}", path.display()))
    }

    /// Something is wrong inside a file.
    pub(crate) fn damaged(name: &str, why: &str) -> Trouble {
        Trouble::Refused(format!("`{name}` is damaged: {why}"))
    }
}
