//! Whole networks, explored one vector after the other.

use std::collections::{HashSet, VecDeque};

use suppose_model::Claim;
use suppose_model::lts::{ComponentKind, Label, Network, Property, State};

/// What a claim comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveVerdict {
    /// It holds.
    Holds,
    /// It does not; the shortest counterexample has so many steps.
    Violated {
        /// Steps, the violating one included.
        shortest: usize,
    },
}

/// Decides a claim breadth-first. The network must be closed (see [`Network::close`]), and the
/// property it mentions must exist. Not for liveness.
pub fn check(network: &Network, claim: Claim) -> NaiveVerdict {
    let property = match claim {
        Claim::DeadlockFree | Claim::Liveness(_) => None,
        Claim::Property(number) => Some(&network.properties[number]),
    };
    let start = (initial(network), property.map_or(0, |p| p.lts.initial()));
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((vector, watched), depth)) = queue.pop_front() {
        if property.is_none() && is_deadlock(network, &vector) {
            return NaiveVerdict::Violated { shortest: depth };
        }
        for (label, next) in steps_for(network, &vector, claim) {
            let Some(watched) = watch(property, watched, label) else {
                let shortest = depth + 1;
                return NaiveVerdict::Violated { shortest };
            };
            let next = (next, watched);
            if seen.insert(next.clone()) {
                queue.push_back((next, depth + 1));
            }
        }
    }
    NaiveVerdict::Holds
}

/// The property's state after a label; none if it does not allow it.
fn watch(property: Option<&Property>, state: State, label: Label) -> Option<State> {
    match property {
        Some(p) if p.lts.has_label(label) => {
            p.lts.successors(state, label).first().map(|e| e.target)
        }
        _ => Some(state),
    }
}

/// The vector of initial states.
pub fn initial(network: &Network) -> Vec<State> {
    network.components.iter().map(|c| c.lts.initial()).collect()
}

/// Every step that priority permits, in no particular order, perhaps more than once.
pub fn steps(network: &Network, vector: &[State]) -> Vec<(Label, Vec<State>)> {
    steps_for(network, vector, Claim::Property(0))
}

/// The same, as far as they matter for a claim: see [`Network::outside`].
pub fn steps_for(network: &Network, vector: &[State], claim: Claim) -> Vec<(Label, Vec<State>)> {
    let mut all = steps_without_priority(network, vector);
    if let Some(priority) = &network.priority {
        let outside = network.outside(claim);
        let high = |label: Label| priority.labels.contains(&label) != priority.low;
        if all
            .iter()
            .any(|(label, _)| high(*label) && !outside.contains(label))
        {
            all.retain(|(label, _)| high(*label) || outside.contains(label));
        }
    }
    all
}

fn steps_without_priority(network: &Network, vector: &[State]) -> Vec<(Label, Vec<State>)> {
    let mut found = Vec::new();
    for (i, component) in network.components.iter().enumerate() {
        for edge in component.lts.successors(vector[i], Label::TAU) {
            let mut next = vector.to_vec();
            next[i] = edge.target;
            found.push((Label::TAU, next));
        }
    }
    for label in network.labels.iter() {
        let mut combinations = vec![vector.to_vec()];
        let mut anyone = false;
        for (i, component) in network.components.iter().enumerate() {
            if !component.lts.has_label(label) {
                continue;
            }
            anyone = true;
            let mut longer = Vec::new();
            for combination in &combinations {
                for edge in component.lts.successors(vector[i], label) {
                    let mut next = combination.clone();
                    next[i] = edge.target;
                    longer.push(next);
                }
            }
            combinations = longer;
        }
        if anyone {
            found.extend(combinations.into_iter().map(|next| (label, next)));
        }
    }
    found
}

/// A deadlock: no process takes part in any step, and stopping there is not success. The
/// environment's steps do not count.
pub fn is_deadlock(network: &Network, vector: &[State]) -> bool {
    if let Some(ends) = &network.success {
        let there = |(end, state): (&Option<State>, &State)| end.is_none_or(|end| end == *state);
        if ends.iter().zip(vector).all(there) {
            return false;
        }
    }
    let of_environment = |label: Label| {
        let mut knowing = network.components.iter().filter(|c| c.lts.has_label(label));
        !label.is_tau() && knowing.all(|c| c.kind == ComponentKind::Environment)
    };
    // The environment has no tau, so a tau is always a process's.
    steps_for(network, vector, Claim::DeadlockFree)
        .iter()
        .all(|(label, _)| of_environment(*label))
}
