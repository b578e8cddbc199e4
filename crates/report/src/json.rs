//! The report as one JSON document. `schema/report.schema.json` describes it.
//!
//! Whatever differs between two runs of the same input is under `timing`, and only there.

use serde::Serialize;
use suppose_model::lts::{ComponentKind, Lts};
use suppose_model::{Assumption, Certificate, Claim, Counterexample, Guarantee, Run, Verdict};

use crate::text::reason_text;
use crate::trace::{self, Trace};
use crate::words::{self, component_name, label_name};
use crate::{Checked, Evidence, Report, last_line};

/// The version of the document's schema. It grows when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// The report as one JSON document with a final newline.
pub fn json(report: &Report) -> String {
    let document = document(report);
    // Serialising strings and numbers into memory cannot fail.
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    visible(&text) + "\n"
}

/// Writes characters that a terminal might act on as escapes. JSON has no such character outside
/// of strings, apart from the newline, and inside its own writer escapes those below the space.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut units = [0; 2];
    for c in text.chars() {
        if c != '\n' && words::is_unprintable(c) {
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    schema_version: u32,
    version: String,
    verdict: &'static str,
    last_line: String,
    files: Vec<String>,
    system: SystemRecord,
    claims: Vec<ClaimRecord>,
    undecided: Vec<UndecidedRecord>,
    warnings: Vec<String>,
    seed: u64,
    limits: LimitsRecord,
    timing: TimingRecord,
}

#[derive(Serialize)]
struct SystemRecord {
    name: String,
    labels: usize,
    components: Vec<ComponentRecord>,
    properties: Vec<PropertyRecord>,
}

#[derive(Serialize)]
struct ComponentRecord {
    name: String,
    kind: &'static str,
    states: usize,
    transitions: usize,
}

#[derive(Serialize)]
struct PropertyRecord {
    name: String,
    states: usize,
    transitions: usize,
}

#[derive(Serialize)]
struct ClaimRecord {
    kind: &'static str,
    name: String,
    verdict: &'static str,
    reason: Option<ReasonRecord>,
    engine: EngineRecord,
    states: u64,
    transitions: u64,
    largest: u64,
    assumption_peak: u64,
    queries: u64,
    groups: Vec<Vec<usize>>,
    rounds: Vec<RoundRecord>,
    evidence: EvidenceRecord,
    assumptions: Vec<AssumptionRecord>,
    premises: Vec<PremiseRecord>,
    counterexample: Option<CounterexampleRecord>,
}

#[derive(Serialize)]
struct ReasonRecord {
    word: String,
    text: String,
}

#[derive(Serialize)]
struct EngineRecord {
    name: String,
    why: String,
}

#[derive(Serialize)]
struct RoundRecord {
    number: u64,
    assumption_states: u64,
    alphabet: u64,
    states: u64,
    refined: String,
}

#[derive(Serialize)]
struct EvidenceRecord {
    status: &'static str,
    reason: Option<String>,
    file: Option<String>,
}

#[derive(Serialize)]
struct AssumptionRecord {
    states: usize,
    transitions: usize,
    initial: u32,
    alphabet: Vec<String>,
    edges: Vec<EdgeRecord>,
    nodes: Vec<NodeRecord>,
}

#[derive(Serialize)]
struct EdgeRecord {
    source: u32,
    label: String,
    target: u32,
}

#[derive(Serialize)]
struct NodeRecord {
    count: u64,
    examples: Vec<String>,
}

#[derive(Serialize)]
struct PremiseRecord {
    components: Vec<usize>,
    assumptions: Vec<usize>,
    guarantee: GuaranteeRecord,
    vectors: usize,
}

#[derive(Serialize)]
struct GuaranteeRecord {
    kind: &'static str,
    number: Option<usize>,
}

#[derive(Serialize)]
struct CounterexampleRecord {
    length: usize,
    initial: Vec<String>,
    steps: Vec<StepRecord>,
    ending: String,
}

#[derive(Serialize)]
struct StepRecord {
    label: String,
    participants: Vec<usize>,
    changes: Vec<ChangeRecord>,
}

#[derive(Serialize)]
struct ChangeRecord {
    component: usize,
    name: String,
    from: String,
    to: String,
}

#[derive(Serialize)]
struct UndecidedRecord {
    name: String,
    reason: String,
}

#[derive(Serialize)]
struct LimitsRecord {
    time_seconds: Option<f64>,
    memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct TimingRecord {
    elapsed_seconds: f64,
    claims_seconds: Vec<f64>,
    peak_memory_bytes: Option<u64>,
}

fn document(report: &Report) -> Document {
    let undecided = report.undecided.iter();
    let checked = report.checked.iter();
    Document {
        schema: "suppose-report",
        schema_version: SCHEMA_VERSION,
        version: report.version.to_owned(),
        verdict: report.overall().word(),
        last_line: last_line(report),
        files: report.files.clone(),
        system: system(report),
        claims: checked.clone().map(|c| claim(report, c)).collect(),
        undecided: undecided
            .map(|(name, reason)| UndecidedRecord {
                name: name.clone(),
                reason: reason.clone(),
            })
            .collect(),
        warnings: report.warnings.clone(),
        seed: report.seed,
        limits: LimitsRecord {
            time_seconds: report.limits.0.map(|d| d.as_secs_f64()),
            memory_bytes: report.limits.1,
        },
        timing: TimingRecord {
            elapsed_seconds: report.elapsed.as_secs_f64(),
            claims_seconds: checked
                .map(|c| c.answer.run.elapsed.as_secs_f64())
                .collect(),
            peak_memory_bytes: report.peak_memory,
        },
    }
}

fn system(report: &Report) -> SystemRecord {
    let network = report.network;
    let components = network.components.iter().map(|c| ComponentRecord {
        name: c.lts.name().to_owned(),
        kind: match c.kind {
            ComponentKind::Process => "process",
            ComponentKind::Environment => "environment",
        },
        states: c.lts.states(),
        transitions: c.lts.transitions(),
    });
    let properties = network.properties.iter().map(|p| PropertyRecord {
        name: p.name().to_owned(),
        states: p.lts.states(),
        transitions: p.lts.transitions(),
    });
    SystemRecord {
        name: network.name.clone(),
        labels: network.labels.iter().count(),
        components: components.collect(),
        properties: properties.collect(),
    }
}

fn claim(report: &Report, checked: &Checked) -> ClaimRecord {
    let answer = checked.answer;
    let standing = report.standing(checked);
    let run: &Run = &answer.run;
    let (assumptions, premises, counterexample) = match &answer.verdict {
        Verdict::Holds(certificate) => {
            let assumptions = certificate.assumptions.iter();
            let assumptions = assumptions.map(|a| assumption(report, a)).collect();
            (assumptions, premises(certificate), None)
        }
        Verdict::Violated(found) => (vec![], vec![], Some(counterexample(report, found))),
        Verdict::Unknown(_) => (vec![], vec![], None),
    };
    ClaimRecord {
        kind: match answer.claim {
            Claim::DeadlockFree => "deadlock",
            Claim::Property(_) => "property",
        },
        name: report.claim_name(answer.claim),
        verdict: standing.word(),
        reason: reason(checked),
        engine: EngineRecord {
            name: answer.engine.clone(),
            why: checked.why_engine.clone(),
        },
        states: run.states,
        transitions: run.transitions,
        largest: run.largest,
        assumption_peak: run.assumption_peak,
        queries: run.queries,
        groups: run.groups.clone(),
        rounds: rounds(run),
        evidence: evidence(checked),
        assumptions,
        premises,
        counterexample,
    }
}

fn reason(checked: &Checked) -> Option<ReasonRecord> {
    let reason = match (&checked.evidence, &checked.answer.verdict) {
        (Evidence::Rejected(why), _) => suppose_model::Reason::Rejected(why.clone()),
        (_, Verdict::Unknown(reason)) => reason.clone(),
        _ => return None,
    };
    Some(ReasonRecord {
        word: reason.word().to_owned(),
        text: reason_text(&reason),
    })
}

fn rounds(run: &Run) -> Vec<RoundRecord> {
    let record = |r: &suppose_model::Round| RoundRecord {
        number: r.number,
        assumption_states: r.assumption_states,
        alphabet: r.alphabet,
        states: r.states,
        refined: r.refined.clone(),
    };
    run.rounds.iter().map(record).collect()
}

fn evidence(checked: &Checked) -> EvidenceRecord {
    let (status, reason) = match &checked.evidence {
        Evidence::Accepted => ("accepted", None),
        Evidence::NotChecked(why) => ("not checked", Some(why.clone())),
        Evidence::Rejected(why) => ("rejected", Some(why.clone())),
    };
    EvidenceRecord {
        status,
        reason,
        file: checked.certificate_file.clone(),
    }
}

fn assumption(report: &Report, assumption: &Assumption) -> AssumptionRecord {
    let lts: &Lts = &assumption.lts;
    let name = |l| label_name(&report.network.labels, l);
    let edges = lts.all_edges().map(|(source, label, target)| EdgeRecord {
        source,
        label: name(label),
        target,
    });
    let nodes = assumption.nodes.iter().map(|n| NodeRecord {
        count: n.count,
        examples: n.examples.clone(),
    });
    AssumptionRecord {
        states: lts.states(),
        transitions: lts.transitions(),
        initial: lts.initial(),
        alphabet: lts.alphabet().iter().map(|l| name(*l)).collect(),
        edges: edges.collect(),
        nodes: nodes.collect(),
    }
}

fn premises(certificate: &Certificate) -> Vec<PremiseRecord> {
    let record = |p: &suppose_model::Premise| PremiseRecord {
        components: p.components.clone(),
        assumptions: p.assumptions.clone(),
        guarantee: match p.guarantee {
            Guarantee::Assumption(number) => GuaranteeRecord {
                kind: "assumption",
                number: Some(number),
            },
            Guarantee::Property(number) => GuaranteeRecord {
                kind: "property",
                number: Some(number),
            },
            Guarantee::DeadlockFree => GuaranteeRecord {
                kind: "deadlock",
                number: None,
            },
        },
        vectors: p.relation.len(),
    };
    certificate.premises.iter().map(record).collect()
}

fn counterexample(report: &Report, found: &Counterexample) -> CounterexampleRecord {
    let network = report.network;
    let trace = Trace::new(network, found);
    let all = 0..network.components.len();
    let step = |step: &trace::Move| StepRecord {
        label: step.label.clone(),
        participants: step.participants.clone(),
        changes: step
            .changes
            .iter()
            .map(|c| ChangeRecord {
                component: c.component,
                name: component_name(network, c.component),
                from: c.from.clone(),
                to: c.to.clone(),
            })
            .collect(),
    };
    CounterexampleRecord {
        length: trace.moves.len(),
        initial: all.map(|c| trace.state(network, 0, c)).collect(),
        steps: trace.moves.iter().map(step).collect(),
        ending: trace::ending(network, found.claim, trace.moves.len()),
    }
}
