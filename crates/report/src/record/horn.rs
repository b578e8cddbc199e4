//! Records on Horn clauses and C programs.

use serde::Serialize;

/// What was read.
#[derive(Serialize)]
pub(crate) struct HornRecord {
    pub kind: &'static str,
    pub predicates: usize,
    pub clauses: usize,
    pub integers: Option<&'static str>,
}

/// What an engine did.
#[derive(Serialize)]
pub(crate) struct EffortRecord {
    pub obligations: u64,
    pub lemmas: u64,
    pub facts: u64,
    pub depth: u64,
    /// No derivation up to this depth reaches a query, of a claim that is not decided.
    pub bound: Option<u32>,
    pub confirmed: Vec<String>,
    /// How far the verdict goes, if not all the way.
    pub scope: Option<String>,
}

/// A predicate and its meaning.
#[derive(Serialize)]
pub(crate) struct DefinitionRecord {
    pub predicate: String,
    pub parameters: Vec<String>,
    pub readable: String,
    pub smtlib: String,
}

/// A derivation.
#[derive(Serialize)]
pub(crate) struct DerivationRecord {
    pub length: usize,
    pub inferences: Vec<StepRecord>,
    pub calls: Vec<CallRecord>,
    pub ending: &'static str,
}

#[derive(Serialize)]
pub(crate) struct StepRecord {
    pub clause: usize,
    pub predicate: Option<String>,
    pub values: Vec<String>,
    pub from: Vec<usize>,
    pub what: String,
    pub file: Option<String>,
    pub line: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct CallRecord {
    pub depth: usize,
    pub function: String,
    pub what: String,
    pub values: Vec<NamedRecord>,
    pub file: Option<String>,
    pub line: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct NamedRecord {
    pub name: String,
    pub value: String,
}
