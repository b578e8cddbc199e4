//! Proofs in which smaller LTSs take the place of components, and proofs about liveness by counting.

use suppose_model::lts::{Label, Network};
use suppose_model::{Certificate, Claim as Asked, Guarantee, LivenessProof, Premise};

use crate::document::Claim;
use crate::record::{Fields, Json, fields, object};
use crate::words::{claim_name, component_name, count, grouped, label_name};

/// Does a proof replace parts of the system by smaller ones, to show that it does not stop or that a claim about liveness holds?
pub(super) fn is_reduction(proof: &Certificate) -> bool {
    let in_parts = matches!(proof.liveness.as_deref(), Some(LivenessProof::Parts { .. }));
    in_parts || proof.claim == Asked::DeadlockFree && proof.premises.len() > 1
}

/// `12 steps, at most 40 states in one, 6 afterwards`
fn minimised(proof: &Certificate) -> String {
    let steps = count(proof.assumptions.len() as u64, "step");
    let relations = proof.premises.iter().map(|p| p.relation.len() as u64);
    let largest = count(relations.max().unwrap_or(0), "state");
    let left = proof.assumptions.iter().map(|a| a.lts.states() as u64);
    let left = grouped(left.max().unwrap_or(0));
    format!("{steps}, at most {largest} in one, {left} afterwards")
}

/// `P and R1 are replaced by R2 (12 states, 5 afterwards)`
fn replacement(network: &Network, proof: &Certificate, premise: &Premise) -> String {
    let name = |number: &usize| proof.assumptions[*number].lts.name().to_owned();
    let components = premise.components.iter();
    let components = components.map(|c| component_name(network, *c));
    let members: Vec<String> = components
        .chain(premise.assumptions.iter().map(name))
        .collect();
    let members = members.join(", ");
    let states = count(premise.relation.len() as u64, "state");
    match premise.guarantee {
        Guarantee::Assumption(number) => {
            let left = grouped(proof.assumptions[number].lts.states() as u64);
            let new = name(&number);
            format!("{members}: replaced by {new} ({states}, {left} afterwards)")
        }
        _ => format!("{members}: never stop ({states})"),
    }
}

/// A proof about liveness by a bound.
#[derive(Clone, Copy)]
pub(super) struct Bounded<'p> {
    /// The number of the assumption that counts.
    pub counter: usize,
    /// How many premises are about it.
    pub premises: usize,
    bound: u32,
    rounds: &'p [Label],
    recurrence: &'p LivenessProof,
}

pub(super) fn bounded(proof: &Certificate) -> Option<Bounded<'_>> {
    match proof.liveness.as_deref()? {
        LivenessProof::Bounded {
            counter,
            premises,
            bound,
            rounds,
            recurrence,
            ..
        } => Some(Bounded {
            counter: *counter,
            premises: *premises,
            bound: *bound,
            rounds,
            recurrence,
        }),
        _ => None,
    }
}

/// How large the parts were, and how often what violates the claim can happen.
pub(super) fn facts(claim: &mut Claim, network: &Network, proof: &Certificate) {
    if is_reduction(proof) {
        claim.fact("minimisation", minimised(proof));
    }
    if let Some(found) = bounded(proof) {
        let times = count(u64::from(found.bound), "time");
        let name = |l: &Label| label_name(&network.labels, *l);
        let mut names: Vec<String> = found.rounds.iter().take(4).map(name).collect();
        if found.rounds.len() > names.len() {
            names.push(format!("{} more", found.rounds.len() - names.len()));
        }
        let names = names.join(", ");
        claim.fact(
            "counting",
            format!("{times} at most, counted once a round; rounds go on for ever: {names}"),
        );
    }
}

/// What the JSON document has of a bound.
pub(super) fn record(network: &Network, proof: &Certificate) -> Fields {
    let Some(found) = bounded(proof) else {
        return Vec::new();
    };
    let rounds = found.rounds.iter();
    let rounds = rounds.map(|l| label_name(&network.labels, *l));
    fields! { "bound": object! {
        "times": found.bound,
        "counter": found.counter,
        "rounds": Json::list(rounds),
    } }
}

/// The replacements one after the other, and what is shown in the end.
pub(super) fn replacements(network: &Network, proof: &Certificate) -> Vec<String> {
    let (first, live) = match (bounded(proof), proof.liveness.as_deref()) {
        (Some(b), _) => (b.premises, Some(b.recurrence)),
        (None, live) => (0, live),
    };
    let steps = proof.premises[first..].iter();
    let mut all: Vec<String> = steps.map(|p| replacement(network, proof, p)).collect();
    let claim = match first {
        0 => claim_name(network, proof.claim),
        _ => "that rounds happen again and again".to_owned(),
    };
    match live {
        Some(LivenessProof::Parts {
            components,
            assumptions,
            ..
        }) => {
            let names = components.iter().map(|c| component_name(network, *c));
            let replaced = assumptions.iter();
            let replaced = replaced.map(|a| proof.assumptions[*a].lts.name().to_owned());
            let members: Vec<String> = names.chain(replaced).collect();
            all.push(format!("{}: satisfy {claim}", members.join(", ")));
        }
        Some(_) => all.push(format!("all components: satisfy {claim}")),
        None => {}
    }
    all
}
