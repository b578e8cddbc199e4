//! Records on probabilistic systems.

use serde::Serialize;
use suppose_model::lts::State;

/// What was read.
#[derive(Serialize)]
pub(crate) struct MarkovRecord {
    pub components: Vec<PartRecord>,
    pub specification: Option<PartRecord>,
    pub sizes: Option<SizesRecord>,
    pub values: Vec<ValueRecord>,
}

#[derive(Serialize)]
pub(crate) struct PartRecord {
    pub name: String,
    pub members: Vec<String>,
    pub states: usize,
    pub choices: usize,
    pub transitions: usize,
}

#[derive(Serialize)]
pub(crate) struct SizesRecord {
    pub states: u64,
    pub choices: u64,
    pub transitions: u64,
    pub deadlocks: u64,
}

/// The probability that a claim is about lies between two numbers.
#[derive(Serialize)]
pub(crate) struct ValueRecord {
    pub claim: String,
    pub lower: String,
    pub upper: String,
    pub lower_decimal: String,
    pub upper_decimal: String,
}

/// A tree that shows a violation.
#[derive(Serialize)]
pub(crate) struct TreeRecord {
    pub nodes: Vec<NodeRecord>,
    pub why: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct NodeRecord {
    pub states: Vec<String>,
    pub choices: Vec<ChoiceRecord>,
}

#[derive(Serialize)]
pub(crate) struct ChoiceRecord {
    pub label: String,
    pub branches: Vec<BranchRecord>,
}

#[derive(Serialize)]
pub(crate) struct BranchRecord {
    pub node: State,
    pub probability: String,
}
