//! Counterexamples: a run of the whole system is repeated step by step.
//!
//! This shares no code with the check of certificates, and is slow and plain on purpose.

use suppose_control::Context;
use suppose_model::lts::{ComponentKind, Label, Lts, Network, State};
use suppose_model::{Claim, Counterexample, NetworkStep};

use crate::rejection::{Place, Rejection};
use crate::{liveness, system};

/// Accepts a counterexample if it is a run of the system, from its initial state, that refutes
/// its claim.
///
/// In each step exactly the components that have the label move, each along an edge of that
/// label; with `tau`, exactly one moves. No step happens that the priority of the system forbids
/// (some labels are outside priority: see `is_outside`).
/// A run against a property is allowed by it up to the last step, which is not. A run into a
/// deadlock ends where no process can take part in any step, and stopping there is no success
/// (see [`Network::success`]).
/// A run against a liveness claim repeats its last steps forever, and this violates the claim: see `liveness`.
pub fn counterexample(network: &Network, evidence: &Counterexample) -> Result<(), Rejection> {
    counterexample_within(network, evidence, &Context::default())
}

/// The same; the context is polled, since the evidence against a liveness claim may be large.
pub fn counterexample_within(
    network: &Network,
    evidence: &Counterexample,
    cx: &Context,
) -> Result<(), Rejection> {
    system::check(network)?;
    let last = run(network, evidence)?;
    match evidence.claim {
        Claim::Property(number) => {
            let property = network.properties.get(number).ok_or_else(|| {
                Rejection::at(Place::Whole, format!("there is no property {number}"))
            })?;
            violates(&property.lts, &evidence.steps)
        }
        Claim::DeadlockFree => stuck(network, &last),
        Claim::Liveness(_) => liveness::counterexample(network, evidence, cx),
    }
}

/// Follows all steps and gives the last state. Every state vector seen is one of the system: it
/// is the initial one, or came from such a one along edges.
fn run(network: &Network, evidence: &Counterexample) -> Result<Vec<State>, Rejection> {
    let mut now: Vec<State> = network.components.iter().map(|c| c.lts.initial()).collect();
    for (number, step) in evidence.steps.iter().enumerate() {
        follow(network, &now, step, evidence.claim)
            .map_err(|why| Rejection::at(Place::Step(number), why))?;
        now.copy_from_slice(&step.states);
    }
    Ok(now)
}

fn follow(
    network: &Network,
    now: &[State],
    step: &NetworkStep,
    claim: Claim,
) -> Result<(), String> {
    if step.label.index() >= network.labels.len() {
        return Err(format!("there is no label {}", step.label.0));
    }
    if step.states.len() != now.len() {
        let (has, wants) = (step.states.len(), now.len());
        return Err(format!("it has {has} states for {wants} components"));
    }
    if step.label.is_tau() {
        follow_tau(network, now, &step.states)?;
    } else {
        follow_label(network, now, step)?;
    }
    if !permitted(network, now, step.label, claim) {
        let label = network.labels.display(step.label);
        return Err(format!(
            "a step of higher priority keeps {label} from happening"
        ));
    }
    Ok(())
}

fn follow_tau(network: &Network, now: &[State], next: &[State]) -> Result<(), String> {
    let lts = |i: usize| &network.components[i].lts;
    let moved: Vec<usize> = (0..now.len()).filter(|i| now[*i] != next[*i]).collect();
    let can = |i: usize| has_edge(lts(i), now[i], Label::TAU, next[i]);
    let fine = match moved[..] {
        [] => (0..now.len()).any(can),
        [one] => can(one),
        _ => return Err("more than one component moves with tau".to_owned()),
    };
    if fine {
        Ok(())
    } else {
        Err("no component has that tau step".to_owned())
    }
}

fn follow_label(network: &Network, now: &[State], step: &NetworkStep) -> Result<(), String> {
    let mut moved = false;
    for (i, component) in network.components.iter().enumerate() {
        let lts = &component.lts;
        if !lts.has_label(step.label) {
            if now[i] != step.states[i] {
                return Err(format!("{} moves, but takes no part", lts.name()));
            }
        } else if has_edge(lts, now[i], step.label, step.states[i]) {
            moved = true;
        } else {
            return Err(format!("{} has no such step", lts.name()));
        }
    }
    if moved {
        Ok(())
    } else {
        Err("no component takes part".to_owned())
    }
}

fn has_edge(lts: &Lts, from: State, label: Label, to: State) -> bool {
    let edges = lts.successors(from, label);
    edges.iter().any(|edge| edge.target == to)
}

/// May a step with that label happen in a run against the claim, as far as priority is concerned?
fn permitted(network: &Network, now: &[State], label: Label, claim: Claim) -> bool {
    let Some(priority) = &network.priority else {
        return true;
    };
    let outside = |l: Label| is_outside(network, l, claim);
    if outside(label) {
        return true;
    }
    let preferred = |l: Label| priority.labels.contains(&l) != priority.low && !outside(l);
    let mut edges = network
        .components
        .iter()
        .zip(now)
        .flat_map(|(c, s)| c.lts.edges(*s));
    preferred(label) || !edges.any(|e| preferred(e.label) && enabled(network, now, e.label))
}

/// Is it outside priority: the mark of an error, or a label that no process has and that does not
/// matter here? For deadlock none matters, for a property those that only other asserted properties
/// have do not.
fn is_outside(network: &Network, label: Label, claim: Claim) -> bool {
    if network.errors.contains(&label) {
        return true;
    }
    let processes = network.components.iter();
    let mut processes = processes.filter(|c| c.kind == ComponentKind::Process);
    if label.is_tau() || processes.any(|c| c.lts.has_label(label)) {
        return false;
    }
    let number = match claim {
        Claim::Property(number) => number,
        Claim::DeadlockFree => return true,
        Claim::Liveness(number) => {
            let claim = network.liveness.get(number);
            return claim.is_none_or(|claim| !claim.labels().contains(&label));
        }
    };
    let all = network.properties.iter().enumerate();
    let mut having = all.filter(|(_, p)| p.lts.has_label(label));
    having.all(|(other, p)| p.asserted && other != number)
}

/// Could a step with that label happen if there were no priority?
fn enabled(network: &Network, now: &[State], label: Label) -> bool {
    let components = || network.components.iter().zip(now);
    if label.is_tau() {
        return components().any(|(c, s)| !c.lts.successors(*s, label).is_empty());
    }
    let mut shared = components().filter(|(c, _)| c.lts.has_label(label));
    shared.clone().next().is_some() && shared.all(|(c, s)| !c.lts.successors(*s, label).is_empty())
}

/// Does the property allow all steps but the last?
fn violates(property: &Lts, steps: &[NetworkStep]) -> Result<(), Rejection> {
    let mut state = property.initial();
    for (number, step) in steps.iter().enumerate() {
        if !property.has_label(step.label) {
            continue;
        }
        match property.successors(state, step.label).first() {
            Some(edge) => state = edge.target,
            None if number + 1 == steps.len() => return Ok(()),
            None => {
                let why = "it violates the property, but is not the last step";
                return Err(Rejection::at(Place::Step(number), why));
            }
        }
    }
    let why = "the property allows the whole run";
    Err(Rejection::at(Place::Whole, why))
}

/// Is this a deadlock?
fn stuck(network: &Network, last: &[State]) -> Result<(), Rejection> {
    let flaw = |why: String| Err(Rejection::at(Place::Whole, why));
    let processes = || {
        let all = network.components.iter().zip(last);
        all.filter(|(c, _)| c.kind == ComponentKind::Process)
    };
    let there = |(end, state): (&Option<State>, &State)| end.is_none_or(|e| e == *state);
    let success = network.success.as_ref();
    if success.is_some_and(|ends| ends.iter().zip(last).all(there)) {
        return flaw(
            "stopping there is success: every process that has an end is at it".to_owned(),
        );
    }
    for (component, state) in processes() {
        let edges = component.lts.edges(*state);
        let lively = |l: Label| l.is_tau() || enabled(network, last, l);
        let step = edges
            .iter()
            .find(|e| lively(e.label) && permitted(network, last, e.label, Claim::DeadlockFree));
        if let Some(edge) = step {
            let label = network.labels.display(edge.label);
            return flaw(format!("{} can still do {label}", component.lts.name()));
        }
    }
    Ok(())
}
