//! What a check of a certificate took.

use serde::Serialize;

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
