//! What the JSON document has of networks.

use suppose_model::lts::Network;
use suppose_model::{Assumption, Certificate, Counterexample, Guarantee, Premise, Run};

use super::trace::{self, Move, Trace};
use crate::record::{Fields, Json, fields, object};
use crate::words::label_name;

/// What an engine without a verdict hands over.
pub(crate) fn so_far(network: &Network, run: &Run) -> Fields {
    let Some(so_far) = run.so_far.as_deref() else {
        return Vec::new();
    };
    fields! { "so_far": object! {
        "is_final": false,
        "components": so_far.premise.components.clone(),
        "assumption": assumption(network, &so_far.assumption),
    } }
}

/// The assumptions of a proof.
pub(crate) fn assumptions(network: &Network, proof: &Certificate) -> Vec<Json> {
    let all = proof.assumptions.iter();
    all.map(|a| assumption(network, a)).collect()
}

fn assumption(network: &Network, assumption: &Assumption) -> Json {
    let lts = &assumption.lts;
    let name = |l| label_name(&network.labels, l);
    let edges = lts.all_edges().map(|(source, label, target)| {
        object! { "source": source, "label": name(label), "target": target }
    });
    let nodes = assumption.nodes.iter();
    let nodes = nodes.map(|n| object! { "count": n.count, "examples": n.examples.clone() });
    object! {
        "states": lts.states(),
        "transitions": lts.transitions(),
        "initial": lts.initial(),
        "alphabet": Json::list(lts.alphabet().iter().map(|l| name(*l))),
        "edges": Json::list(edges),
        "nodes": Json::list(nodes),
    }
}

/// The premises of a proof.
pub(crate) fn premises(certificate: &Certificate) -> Vec<Json> {
    let record = |p: &Premise| {
        let (kind, number) = match p.guarantee {
            Guarantee::Assumption(number) => ("assumption", Some(number)),
            Guarantee::Property(number) => ("property", Some(number)),
            Guarantee::DeadlockFree => ("deadlock", None),
        };
        object! {
            "components": p.components.clone(),
            "assumptions": p.assumptions.clone(),
            "guarantee": object! { "kind": kind, "number": number },
            "vectors": p.relation.len(),
        }
    };
    certificate.premises.iter().map(record).collect()
}

pub(super) fn counterexample(network: &Network, found: &Counterexample) -> Json {
    let trace = Trace::new(network, found);
    let all = 0..network.components.len();
    let step = |step: &Move| {
        let changes = step.changes.iter().map(|c| {
            let named = c.named(network);
            object! { "component": c.component, "name": named.name, "from": named.from, "to": named.to }
        });
        object! {
            "label": &step.label,
            "participants": step.participants.clone(),
            "changes": Json::list(changes),
        }
    };
    let mut record = fields! {
        "length": trace.moves.len(),
        "initial": Json::list(all.map(|c| trace.state(network, 0, c))),
        "steps": Json::list(trace.moves.iter().map(step)),
        "ending": trace::ending(network, found),
    };
    if let Some(lasso) = &found.lasso {
        record.extend(fields! { "cycle": lasso.cycle });
    }
    Json::Object(record)
}
