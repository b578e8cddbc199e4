//! What the JSON document has of finite-domain systems.

use suppose_model::fsm::{
    Answer, Basis, Claim, Fairness, Proof, Question, Refutation, Shows, System, Trace,
    VariableKind, Verdict,
};

use super::classes::classes;
use super::run::{Named, points};
use super::{Subject, asked, ending, left_out};
use crate::record::{Fields, Json, fields, object};
use crate::words::{place, place_text};

pub(super) fn system(subject: Subject) -> Fields {
    let system = subject.system;
    let of = |kind| system.variables.iter().filter(|v| v.kind == kind).count();
    let justice = |f: &&Fairness| matches!(f, Fairness::Justice(_));
    let justice = system.fairness.iter().filter(justice).count();
    let stuck = subject
        .stuck
        .map(|(trace, part)| states(part, trace, Shows::All, "no step is possible from here"));
    fields! { "symbolic": object! {
        "name": &system.name,
        "variables": of(VariableKind::State) + of(VariableKind::Frozen),
        "frozen": of(VariableKind::Frozen),
        "inputs": of(VariableKind::Input),
        "justice": justice,
        "compassion": system.fairness.len() - justice,
        "properties": system.properties.len(),
        "stuck": stuck,
    } }
}

/// What other claims do not have.
pub(super) fn answer(subject: Subject, answer: &Answer) -> Fields {
    let effort = &answer.effort;
    let property = answer.claim.property(subject.system);
    let place = property.and_then(|p| place(subject.sources, p.span));
    let (steps, proof) = match &answer.verdict {
        Verdict::Holds(Basis::Steps(Some(steps))) => (Some(steps.to_string()), None),
        Verdict::Holds(Basis::Steps(None)) => (Some("infinite".to_owned()), None),
        Verdict::Holds(Basis::Proof(proof)) => (None, Some(proved(&answer.about, proof))),
        _ => (None, None),
    };
    fields! { "symbolic": object! {
        "logic": match property.map(|p| p.question) {
            None => "deadlock",
            Some(Question::Ctl(_)) => "ctl",
            Some(Question::Ltl(_)) => "ltl",
            Some(Question::Invariant(_)) => "invariant",
            Some(Question::ComputeMin(..) | Question::ComputeMax(..)) => "compute",
        },
        "text": asked(subject.system, answer.claim),
        "place": place.map(|p| place_text(&Some(p))),
        "left_out": left_out(subject, answer),
        "steps": steps,
        "abstracted": effort.abstracted,
        "refinements": effort.refinements,
        "abstract_bits": effort.abstract_bits,
        "relation_nodes": effort.relation_nodes,
        "checking_nodes": effort.checking_nodes,
        "reorderings": effort.reorderings,
        "depth": effort.depth,
        "proof": proof,
    } }
}

fn proved(about: &System, proof: &Proof) -> Json {
    let (kind, decisions, clusters) = match proof {
        Proof::Invariant(set) => ("invariant", set.nodes.len(), &[][..]),
        Proof::Induction(depth) => ("induction", *depth as usize, &[][..]),
        Proof::Abstraction(clusters) => {
            let all = clusters.iter().flat_map(|c| &c.classes);
            (
                "abstraction",
                all.map(|c| c.nodes.len()).sum(),
                &clusters[..],
            )
        }
    };
    let clusters = clusters.iter().map(|cluster| {
        let it = classes(about, cluster);
        object! { "variables": it.vars, "classes": it.classes, "conditions": it.conditions }
    });
    object! { "kind": kind, "decisions": decisions, "clusters": Json::list(clusters) }
}

/// The run that refutes a claim.
pub(super) fn run(about: &System, claim: Claim, found: &Refutation) -> Json {
    states(about, &found.trace, found.shows, ending(claim, found))
}

fn states(about: &System, trace: &Trace, shows: Shows, ending: &str) -> Json {
    let named = |all: Vec<Named>| {
        let all = all.into_iter();
        Json::list(all.map(|n| object! { "name": n.name, "value": n.value }))
    };
    let states = points(about, trace).into_iter();
    let states = states.map(|p| object! { "inputs": named(p.inputs), "changes": named(p.changed) });
    object! {
        "length": trace.states.len(),
        "states": Json::list(states),
        "loops_to": trace.loops_to,
        "shows": match shows {
            Shows::All => "all",
            Shows::Part => "part",
        },
        "ending": ending,
    }
}
