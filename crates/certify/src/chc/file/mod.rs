//! Evidence about Horn clauses as files.
//!
//! Files are untrusted. All formulas are built again by [`Terms`](suppose_model::chc::Terms) while they are
//! read, so nothing can be said in a file that the store would not say itself. Whether the evidence
//! proves anything is left to [`check_definitions`](super::check_definitions) and
//! [`check_derivation`](super::check_derivation). The format is described in `docs/certificates.md`.

pub(crate) mod number;
mod read;
mod structures;
mod table;
mod write;

use suppose_model::chc::theory::Structures;
use suppose_model::chc::{Definitions, Derivation};

use crate::file::frame::Formats;

pub use read::{read, read_about};
pub use write::{write_certificate, write_counterexample};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMATS: Formats = Formats {
    certificate: "suppose horn certificate",
    counterexample: "suppose horn counterexample",
    neither: "this is no evidence about Horn clauses",
    version: VERSION,
};

/// The evidence in a file.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// That the system holds.
    Definitions(Box<Definitions>),
    /// That it is violated. Where the clauses have names, with what they represent.
    Derivation(Derivation, Option<Structures>),
}
