//! Evidence as files: JSON that is written and read as a stream.
//!
//! Files are untrusted. Reading one checks its form, and that it mentions components,
//! properties and labels that the system has; whether it proves anything is left to
//! [`certificate`](crate::certificate) and [`counterexample`](crate::counterexample). What reading
//! takes in memory is at most a small multiple of the file's length.
//!
//! The fields of the outer object and of a premise come in one order, the one they are written
//! in, so that a reader needs no second look. The format is described in `docs/certificates.md`.

pub(crate) mod frame;
mod liveness;
pub(crate) mod object;
pub(crate) mod read;
pub mod sections;
pub(crate) mod text;
pub(crate) mod write;

use std::fmt;

use sha2::{Digest, Sha256};
use suppose_model::{Certificate, Counterexample};

pub use read::read;
pub use write::{write_certificate, write_counterexample};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMATS: frame::Formats = frame::Formats {
    certificate: "suppose certificate",
    counterexample: "suppose counterexample",
    neither: "this is neither a certificate nor a counterexample",
    version: VERSION,
};

/// The evidence in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// That a claim holds.
    Certificate(Box<Certificate>),
    /// That a claim is violated.
    Counterexample(Counterexample),
}

/// A file that a system was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name, for display.
    pub file: String,
    /// The SHA-256 of its contents: 64 hexadecimal digits, in lower case.
    pub sha256: String,
}

impl Model {
    /// The file of that name with those contents.
    pub fn of(file: impl Into<String>, contents: &[u8]) -> Self {
        let hex = |byte: &u8| format!("{byte:02x}");
        Model {
            file: file.into(),
            sha256: Sha256::digest(contents).iter().map(hex).collect(),
        }
    }
}

/// How much a reader takes before it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes of the file.
    pub bytes: u64,
    /// Vectors in all relations, or steps of a counterexample.
    pub vectors: u64,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits {
            bytes: 16 << 30,
            vectors: 200_000_000,
        }
    }
}

/// A file is not one that holds evidence about the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1; 0 if it is not about a place.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "{line}:{}: {}", self.column, self.message),
        }
    }
}

impl std::error::Error for Malformed {}
