//! Evidence about probabilistic systems as files.
//!
//! Files are untrusted. Reading one checks its form, and that it mentions components, actions and propositions that the
//! system has; whether it proves anything is left to [`check_certificate`](super::check_certificate) and
//! [`check_counterexample`](super::check_counterexample). What reading takes in memory is at most a small multiple of the
//! file's length. The format is described in `docs/certificates.md`.

mod property;
mod read;
mod text;
mod write;

use suppose_model::mdp::{Certificate, Counterexample};

use crate::file::frame::Formats;
pub use property::{PropertyEvidence, property_name, read_property, write_property};
pub use read::read;
pub use write::{write_certificate, write_counterexample};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMATS: Formats = Formats {
    certificate: "suppose markov certificate",
    counterexample: "suppose markov counterexample",
    neither: "this is no evidence about a probabilistic system and a specification",
    version: VERSION,
};

/// The evidence in a file.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// That the system conforms to the specification.
    Certificate(Box<Certificate>),
    /// That it is violated.
    Counterexample(Box<Counterexample>),
}
