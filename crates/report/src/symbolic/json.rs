//! The report on a finite-domain system as the same JSON document as any other.

use suppose_model::fsm::{Fairness, Kind, Proof, Question, Shows, System, Trace};

use super::classes::told;
use super::run::{Named, frames};
use super::{
    SymbolicAnswer, SymbolicChecked, SymbolicClaim, SymbolicReport, SymbolicVerdict, asked, ending,
};
use crate::Document;
use crate::json::{document, evidence, print, reason, rounds};
use crate::record::symbolic::{
    ClusterRecord, NamedRecord, ProofRecord, RunRecord, StateRecord, SymbolicClaimRecord,
    SymbolicRecord,
};
use crate::record::{ClaimRecord, EngineRecord, Shown};

pub(super) fn json(report: &SymbolicReport) -> String {
    let checked = report.checked.iter();
    let seconds = checked.clone().map(|c| c.answer.run.elapsed.as_secs_f64());
    let claims = checked.map(|c| claim(report, c)).collect();
    let system = report.system;
    let of = |kind| system.variables.iter().filter(|v| v.kind == kind).count();
    let justice = |f: &&Fairness| matches!(f, Fairness::Justice(_));
    let justice = system.fairness.iter().filter(justice).count();
    let stuck = |(trace, part)| run(part, SymbolicClaim::Deadlock, trace, Shows::All);
    let record = SymbolicRecord {
        name: system.name.clone(),
        variables: of(Kind::State) + of(Kind::Frozen),
        frozen: of(Kind::Frozen),
        inputs: of(Kind::Input),
        justice,
        compassion: system.fairness.len() - justice,
        properties: system.properties.len(),
        stuck: report.stuck.map(stuck),
    };
    let overall = report.overall();
    let mut whole = document(&report.base, &overall, claims, seconds.collect(), None);
    whole.symbolic = Some(record);
    print(&whole)
}

fn claim(report: &SymbolicReport, checked: &SymbolicChecked) -> ClaimRecord {
    let answer = checked.answer;
    let unknown = match &answer.verdict {
        SymbolicVerdict::Unknown(reason) => Some(reason),
        _ => None,
    };
    let counterexample = match &answer.verdict {
        SymbolicVerdict::Fails(trace, shows) => {
            let run = run(&answer.about, answer.claim, trace, *shows);
            Some(Shown::Symbolic(run))
        }
        _ => None,
    };
    ClaimRecord {
        kind: match answer.claim {
            SymbolicClaim::Property(_) => "property",
            SymbolicClaim::Deadlock => "deadlock",
        },
        name: answer.claim.name(report.system),
        verdict: report.standing(checked).word(),
        reason: reason(&checked.evidence, unknown),
        engine: EngineRecord {
            name: answer.engine.clone(),
            why: checked.why_engine.clone(),
        },
        states: answer.run.states,
        transitions: answer.run.transitions,
        largest: answer.run.largest,
        assumption_peak: answer.run.assumption_peak,
        queries: answer.run.queries,
        groups: answer.run.groups.clone(),
        rounds: rounds(&answer.run),
        evidence: evidence(&checked.evidence, checked.certificate_file.clone()),
        assumptions: Vec::new(),
        premises: Vec::new(),
        counterexample,
        so_far: None,
        search: None,
        effort: None,
        definitions: None,
        candidates: None,
        symbolic: Some(own(report, answer)),
    }
}

fn own(report: &SymbolicReport, answer: &SymbolicAnswer) -> SymbolicClaimRecord {
    let effort = &answer.effort;
    let place = report.place(answer.claim);
    SymbolicClaimRecord {
        logic: match answer.claim.property(report.system).map(|p| p.question) {
            None => "deadlock",
            Some(Question::Ctl(_)) => "ctl",
            Some(Question::Ltl(_)) => "ltl",
            Some(Question::Invariant(_)) => "invariant",
            Some(Question::ComputeMin(..) | Question::ComputeMax(..)) => "compute",
        },
        text: asked(report.system, answer.claim),
        place: (!place.is_empty()).then_some(place),
        left_out: report.left_out(answer),
        steps: match &answer.verdict {
            SymbolicVerdict::Steps(Some(steps)) => Some(steps.to_string()),
            SymbolicVerdict::Steps(None) => Some("infinite".to_owned()),
            _ => None,
        },
        abstracted: effort.abstracted,
        refinements: effort.refinements,
        abstract_bits: effort.abstract_bits,
        relation_nodes: effort.relation_nodes,
        checking_nodes: effort.checking_nodes,
        reorderings: effort.reorderings,
        depth: effort.depth,
        proof: match &answer.verdict {
            SymbolicVerdict::Holds(Some(proof)) => Some(proved(&answer.about, proof)),
            _ => None,
        },
    }
}

fn proved(about: &System, proof: &Proof) -> ProofRecord {
    match proof {
        Proof::Invariant(set) => ProofRecord {
            kind: "invariant",
            decisions: set.nodes.len(),
            clusters: Vec::new(),
        },
        Proof::Induction(depth) => ProofRecord {
            kind: "induction",
            decisions: *depth as usize,
            clusters: Vec::new(),
        },
        Proof::Abstraction(clusters) => ProofRecord {
            kind: "abstraction",
            decisions: clusters
                .iter()
                .flat_map(|c| &c.classes)
                .map(|c| c.nodes.len())
                .sum(),
            clusters: told(about, clusters)
                .into_iter()
                .map(|t| ClusterRecord {
                    variables: t.vars,
                    classes: t.classes,
                    conditions: t.conditions,
                })
                .collect(),
        },
    }
}

fn run(about: &System, claim: SymbolicClaim, trace: &Trace, shows: Shows) -> RunRecord {
    let named = |all: Vec<Named>| {
        let record = |n: Named| NamedRecord {
            name: n.name,
            value: n.value,
        };
        all.into_iter().map(record).collect()
    };
    let states = frames(about, trace).into_iter().map(|f| StateRecord {
        inputs: named(f.inputs),
        changes: named(f.changed),
    });
    RunRecord {
        length: trace.states.len(),
        states: states.collect(),
        loops_to: trace.loops_to,
        shows: match shows {
            Shows::All => "all",
            Shows::Part => "part",
        },
        ending: ending(claim, trace, shows),
    }
}
