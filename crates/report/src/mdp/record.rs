//! What the JSON document has of probabilistic systems.

use suppose_model::Finding;
use suppose_model::lts::{Labels, State};
use suppose_model::mdp::{Answer, Choice, Lpts, Proof, Refutation};

use super::Subject;
use super::number::decimal_amount;
use super::tree::{reasons, state_name};
use crate::record::{Fields, Json, fields, object};
use crate::words::label_name;

/// What was read, and the values that were found.
pub(super) fn system(subject: Subject, findings: &[&Finding<Answer>]) -> Fields {
    let components = subject.system.components.iter();
    let sizes = subject.sizes.map(|s| {
        object! {
            "states": s.states,
            "choices": s.choices,
            "transitions": s.transitions,
            "deadlocks": s.deadlocks,
        }
    });
    let values = findings.iter().filter_map(|finding| {
        let answer = &finding.answer;
        let value = answer.value.as_ref()?;
        Some(object! {
            "claim": answer.claim.name(),
            "lower": value.lower.to_string(),
            "upper": value.upper.to_string(),
            "lower_decimal": decimal_amount(&value.lower),
            "upper_decimal": decimal_amount(&value.upper),
        })
    });
    fields! { "markov": object! {
        "components": Json::list(components.map(|c| part(&c.lpts, &c.members))),
        "specification": subject.specification.map(|s| part(s, &[])),
        "sizes": sizes,
        "values": Json::list(values),
    } }
}

fn part(lpts: &Lpts, members: &[String]) -> Json {
    object! {
        "name": lpts.name(),
        "members": Json::list(members),
        "states": lpts.states(),
        "choices": lpts.all_choices().len(),
        "transitions": lpts.branches(),
    }
}

pub(super) fn assumptions(proof: &Proof, labels: &Labels) -> Vec<Json> {
    let (all, _) = proof.assumptions();
    all.iter().map(|a| assumption(a, labels)).collect()
}

/// One edge for each branch, with the number of its choice.
fn assumption(lpts: &Lpts, labels: &Labels) -> Json {
    let mut edges = Vec::new();
    for source in 0..lpts.states() as State {
        for (number, choice) in lpts.choices(source).iter().enumerate() {
            for (target, p) in lpts.dist(choice.dist).probabilities() {
                edges.push(object! {
                    "source": source,
                    "label": label_name(labels, choice.label),
                    "target": target,
                    "choice": number,
                    "probability": p.to_string(),
                });
            }
        }
    }
    let alphabet = lpts.alphabet().iter().map(|l| label_name(labels, *l));
    object! {
        "states": lpts.states(),
        "transitions": edges.len(),
        "initial": lpts.initial(),
        "alphabet": Json::list(alphabet),
        "edges": edges,
        "nodes": Json::List(Vec::new()),
    }
}

/// Premise `i` is about group `i` with assumption `i`, and guarantees the assumption before it; the first the claim.
pub(super) fn premises(proof: &Proof) -> Vec<Json> {
    let (claim, checked): (&str, Vec<usize>) = match proof {
        Proof::Conformance(proof) => {
            let pairs = proof.premises.iter().map(|p| p.len());
            ("specification", pairs.collect())
        }
        Proof::Property(proof) => {
            let later = 1..proof.groups.len();
            let folds = later.map(|i| proof.folds.get(i - 1).map_or(0, Vec::len));
            let first = proof.groups.first().map(|_| 0);
            ("property", first.into_iter().chain(folds).collect())
        }
        Proof::Value(_) | Proof::NoDeadlock => return Vec::new(),
    };
    let (assumptions, groups) = proof.assumptions();
    let premise = |(number, vectors): (usize, usize)| {
        let used = (number < assumptions.len()).then_some(number);
        object! {
            "components": groups.get(number).cloned().unwrap_or_default(),
            "assumptions": Json::list(used),
            "guarantee": object! {
                "kind": if number == 0 { claim } else { "assumption" },
                "number": number.checked_sub(1),
            },
            "vectors": vectors,
        }
    };
    checked.into_iter().enumerate().map(premise).collect()
}

/// The tree that shows a violation, if there is one.
pub(super) fn tree(subject: Subject, refutation: &Refutation) -> Option<Json> {
    let found = refutation.tree()?;
    let labels = &subject.system.labels;
    let choice = |c: &Choice| {
        let branches = found.tree.dist(c.dist).probabilities();
        let branches =
            branches.map(|(node, p)| object! { "node": node, "probability": p.to_string() });
        object! { "label": label_name(labels, c.label), "branches": Json::list(branches) }
    };
    let node = |node: usize| {
        let states = found.states[node].iter().enumerate();
        let states = states.map(|(component, s)| state_name(subject, component, *s));
        object! {
            "states": Json::list(states),
            "choices": Json::list(found.tree.choices(node as State).iter().map(choice)),
        }
    };
    let why = match refutation {
        Refutation::Conformance { refusals, .. } => reasons(subject, found, refusals),
        _ => Vec::new(),
    };
    Some(object! {
        "nodes": Json::list((0..found.tree.states()).map(node)),
        "why": why,
    })
}
