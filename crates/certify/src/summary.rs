//! What a check of a certificate took.

use serde::Serialize;
use suppose_model::Certificate;

/// How much an accepted certificate took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Premises.
    pub premises: u64,
    /// Assumptions.
    pub assumptions: u64,
    /// Vectors in all relations together.
    pub vectors: u64,
    /// Steps followed from them.
    pub steps: u64,
}

impl Summary {
    /// The premises and assumptions of a certificate, before anything is followed.
    pub(crate) fn of(certificate: &Certificate) -> Self {
        Summary {
            premises: certificate.premises.len() as u64,
            assumptions: certificate.assumptions.len() as u64,
            ..Summary::default()
        }
    }
}
