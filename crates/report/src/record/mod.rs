//! The JSON document as data: what [`crate::json`] and the kinds of models fill in. Nothing here has behaviour.

pub(crate) mod horn;
pub(crate) mod markov;
pub(crate) mod program;
pub(crate) mod symbolic;

use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Document {
    pub schema: &'static str,
    pub schema_version: u32,
    pub version: String,
    pub verdict: &'static str,
    pub last_line: String,
    pub files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horn: Option<horn::HornRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markov: Option<markov::MarkovRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<symbolic::SymbolicRecord>,
    pub system: SystemRecord,
    pub claims: Vec<ClaimRecord>,
    pub undecided: Vec<UndecidedRecord>,
    pub warnings: Vec<String>,
    pub seed: u64,
    pub limits: LimitsRecord,
    pub timing: TimingRecord,
}

#[derive(Serialize)]
pub(crate) struct SystemRecord {
    pub name: String,
    pub labels: usize,
    pub components: Vec<ComponentRecord>,
    pub properties: Vec<PropertyRecord>,
}

/// A program and its processes at the start.
#[derive(Serialize)]
pub(crate) struct ProgramRecord {
    pub name: String,
    pub processes: Vec<String>,
    pub taken_apart: bool,
}

#[derive(Serialize)]
pub(crate) struct ComponentRecord {
    pub name: String,
    pub kind: &'static str,
    pub states: usize,
    pub transitions: usize,
}

#[derive(Serialize)]
pub(crate) struct PropertyRecord {
    pub name: String,
    pub states: usize,
    pub transitions: usize,
}

#[derive(Serialize)]
pub(crate) struct ClaimRecord {
    pub kind: &'static str,
    pub name: String,
    pub verdict: &'static str,
    pub reason: Option<ReasonRecord>,
    pub engine: EngineRecord,
    pub states: u64,
    pub transitions: u64,
    pub largest: u64,
    pub assumption_peak: u64,
    pub queries: u64,
    pub groups: Vec<Vec<usize>>,
    pub rounds: Vec<RoundRecord>,
    pub evidence: EvidenceRecord,
    pub assumptions: Vec<AssumptionRecord>,
    pub premises: Vec<PremiseRecord>,
    pub counterexample: Option<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub so_far: Option<SoFarRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<horn::EffortRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Vec<horn::DefinitionRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<horn::DefinitionRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<symbolic::SymbolicClaimRecord>,
}

/// What is required of a process as far as it is known: not final.
#[derive(Serialize)]
pub(crate) struct SoFarRecord {
    pub is_final: bool,
    pub components: Vec<usize>,
    pub assumption: AssumptionRecord,
}

#[derive(Serialize)]
pub(crate) struct ReasonRecord {
    pub word: String,
    pub text: String,
}

#[derive(Serialize)]
pub(crate) struct EngineRecord {
    pub name: String,
    pub why: String,
}

#[derive(Serialize)]
pub(crate) struct RoundRecord {
    pub number: u64,
    pub assumption_states: u64,
    pub alphabet: u64,
    pub states: u64,
    pub refined: String,
}

#[derive(Serialize)]
pub(crate) struct EvidenceRecord {
    pub status: &'static str,
    pub reason: Option<String>,
    pub file: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct AssumptionRecord {
    pub states: usize,
    pub transitions: usize,
    pub initial: u32,
    pub alphabet: Vec<String>,
    pub edges: Vec<EdgeRecord>,
    pub nodes: Vec<NodeRecord>,
}

#[derive(Serialize)]
pub(crate) struct EdgeRecord {
    pub source: u32,
    pub label: String,
    pub target: u32,
    /// Of a probabilistic system: which choice of the source, and how probable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct NodeRecord {
    pub count: u64,
    pub examples: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct PremiseRecord {
    pub components: Vec<usize>,
    pub assumptions: Vec<usize>,
    pub guarantee: GuaranteeRecord,
    pub vectors: usize,
}

#[derive(Serialize)]
pub(crate) struct GuaranteeRecord {
    pub kind: &'static str,
    pub number: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct CounterexampleRecord {
    pub length: usize,
    pub initial: Vec<String>,
    pub steps: Vec<StepRecord>,
    pub ending: String,
}

#[derive(Serialize)]
pub(crate) struct StepRecord {
    pub label: String,
    pub participants: Vec<usize>,
    pub changes: Vec<ChangeRecord>,
}

#[derive(Serialize)]
pub(crate) struct ChangeRecord {
    pub component: usize,
    pub name: String,
    pub from: String,
    pub to: String,
}

/// A counterexample of a network, of a program, of clauses, of a probabilistic system, or of a finite-domain one.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Shown {
    Network(CounterexampleRecord),
    Program(program::RunRecord),
    Horn(horn::DerivationRecord),
    Markov(markov::TreeRecord),
    Symbolic(symbolic::RunRecord),
}

/// A search of all states of a program.
#[derive(Serialize)]
pub(crate) struct SearchRecord {
    pub how: String,
    pub depth: u64,
    pub memory_bytes: u64,
}

#[derive(Serialize)]
pub(crate) struct UndecidedRecord {
    pub name: String,
    pub reason: String,
}

#[derive(Serialize)]
pub(crate) struct LimitsRecord {
    pub time_seconds: Option<f64>,
    pub memory_bytes: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct TimingRecord {
    pub elapsed_seconds: f64,
    pub claims_seconds: Vec<f64>,
    pub peak_memory_bytes: Option<u64>,
}
