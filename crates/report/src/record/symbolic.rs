//! Records on finite-domain systems.

use serde::Serialize;

/// What was read.
#[derive(Serialize)]
pub(crate) struct SymbolicRecord {
    pub name: String,
    pub variables: usize,
    pub frozen: usize,
    pub inputs: usize,
    pub justice: usize,
    pub compassion: usize,
    pub properties: usize,
    /// A run to a state without a step that nothing was asked about.
    pub stuck: Option<RunRecord>,
}

/// A claim on a finite-domain system: what other claims do not have.
#[derive(Serialize)]
pub(crate) struct SymbolicClaimRecord {
    pub logic: &'static str,
    pub text: String,
    pub place: Option<String>,
    pub left_out: usize,
    /// Of `COMPUTE`: the number of steps, or `infinite`.
    pub steps: Option<String>,
    pub abstracted: u64,
    pub refinements: u64,
    pub abstract_bits: u64,
    pub relation_nodes: u64,
    pub checking_nodes: u64,
    pub reorderings: u64,
    pub depth: u64,
    pub proof: Option<ProofRecord>,
}

#[derive(Serialize)]
pub(crate) struct ProofRecord {
    pub kind: &'static str,
    pub decisions: usize,
    pub clusters: Vec<ClusterRecord>,
}

#[derive(Serialize)]
pub(crate) struct ClusterRecord {
    pub variables: Vec<String>,
    pub classes: usize,
    pub conditions: Vec<String>,
}

/// A run.
#[derive(Serialize)]
pub(crate) struct RunRecord {
    pub length: usize,
    pub states: Vec<StateRecord>,
    pub loops_to: Option<usize>,
    pub shows: &'static str,
    pub ending: String,
}

#[derive(Serialize)]
pub(crate) struct StateRecord {
    pub inputs: Vec<NamedRecord>,
    pub changes: Vec<NamedRecord>,
}

#[derive(Serialize)]
pub(crate) struct NamedRecord {
    pub name: String,
    pub value: String,
}
