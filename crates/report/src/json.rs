//! The report as one JSON document. `schema/report.schema.json` describes it.
//!
//! Whatever differs between two runs of the same input is under `timing`, and only there.

use suppose_model::lts::{ComponentKind, Lts};
use suppose_model::{
    Assumption, Certificate, Claim, Counterexample, Guarantee, Reason, Run, Verdict,
};

use crate::Document as _;
use crate::record::*;
use crate::text::reason_text;
use crate::trace::{self, Trace};
use crate::words::{self, component_name, label_name};
use crate::{Checked, Evidence, Report, Standing};

/// The version of the document's schema. It grows when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// The report as one JSON document with a final newline.
pub fn json(report: &Report) -> String {
    let claims = report.checked.iter().map(|c| claim(report, c)).collect();
    let seconds = report.checked.iter().map(|c| c.answer.run.elapsed);
    let seconds = seconds.map(|e| e.as_secs_f64()).collect();
    let overall = report.overall();
    print(&document(report, &overall, claims, seconds, None))
}

/// A document with a final newline.
pub(crate) fn print(document: &Document) -> String {
    // Serialising strings and numbers into memory cannot fail.
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
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

/// The document with these claims.
pub(crate) fn document(
    report: &Report,
    overall: &Standing,
    claims: Vec<ClaimRecord>,
    claims_seconds: Vec<f64>,
    program: Option<ProgramRecord>,
) -> Document {
    let undecided = report.undecided.iter();
    Document {
        schema: "suppose-report",
        schema_version: SCHEMA_VERSION,
        version: report.version.to_owned(),
        verdict: overall.word(),
        last_line: overall.to_string(),
        files: report.files.clone(),
        program,
        horn: None,
        markov: None,
        symbolic: None,
        system: system(report),
        claims,
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
            claims_seconds,
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
        Verdict::Holds(certificate) => (
            assumptions(report, certificate),
            premises(certificate),
            None,
        ),
        Verdict::Violated(found) => {
            let shown = Shown::Network(counterexample(report, found));
            (vec![], vec![], Some(shown))
        }
        Verdict::Unknown(_) => (vec![], vec![], None),
    };
    ClaimRecord {
        kind: match answer.claim {
            Claim::DeadlockFree => "deadlock",
            Claim::Property(_) => "property",
        },
        name: report.claim_name(answer.claim),
        verdict: standing.word(),
        reason: reason(
            &checked.evidence,
            match &answer.verdict {
                Verdict::Unknown(reason) => Some(reason),
                _ => None,
            },
        ),
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
        evidence: evidence(&checked.evidence, checked.certificate_file.clone()),
        assumptions,
        premises,
        counterexample,
        so_far: so_far(report, run),
        search: None,
        effort: None,
        definitions: None,
        candidates: None,
        symbolic: None,
    }
}

pub(crate) fn so_far(report: &Report, run: &Run) -> Option<SoFarRecord> {
    let so_far = run.so_far.as_deref()?;
    Some(SoFarRecord {
        is_final: false,
        components: so_far.premise.components.clone(),
        assumption: assumption(report, &so_far.assumption),
    })
}

/// Why the verdict is unknown, if it is.
pub(crate) fn reason(evidence: &Evidence, unknown: Option<&Reason>) -> Option<ReasonRecord> {
    let reason = match (evidence, unknown) {
        (Evidence::Rejected(why), _) => Reason::Rejected(why.clone()),
        (_, Some(reason)) => reason.clone(),
        _ => return None,
    };
    Some(ReasonRecord {
        word: reason.word().to_owned(),
        text: reason_text(&reason),
    })
}

pub(crate) fn rounds(run: &Run) -> Vec<RoundRecord> {
    let record = |r: &suppose_model::Round| RoundRecord {
        number: r.number,
        assumption_states: r.assumption_states,
        alphabet: r.alphabet,
        states: r.states,
        refined: r.refined.clone(),
    };
    run.rounds.iter().map(record).collect()
}

pub(crate) fn evidence(evidence: &Evidence, file: Option<String>) -> EvidenceRecord {
    let (status, reason) = match evidence {
        Evidence::Accepted => ("accepted", None),
        Evidence::NotChecked(why) => ("not checked", Some(why.clone())),
        Evidence::Rejected(why) => ("rejected", Some(why.clone())),
    };
    EvidenceRecord {
        status,
        reason,
        file,
    }
}

/// The assumptions of a proof.
pub(crate) fn assumptions(report: &Report, proof: &Certificate) -> Vec<AssumptionRecord> {
    let all = proof.assumptions.iter();
    all.map(|a| assumption(report, a)).collect()
}

fn assumption(report: &Report, assumption: &Assumption) -> AssumptionRecord {
    let lts: &Lts = &assumption.lts;
    let name = |l| label_name(&report.network.labels, l);
    let edges = lts.all_edges().map(|(source, label, target)| EdgeRecord {
        source,
        label: name(label),
        target,
        choice: None,
        probability: None,
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

pub(crate) fn premises(certificate: &Certificate) -> Vec<PremiseRecord> {
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
