//! What the checkers are compared with: the definitions, word by word, by brute force.
#![allow(dead_code)]

pub mod make;
pub mod random;

use std::collections::{BTreeSet, VecDeque};

use suppose_model::lts::{ComponentKind, Label, Lts, Network};
use suppose_model::{Certificate, Claim, Counterexample, Guarantee, Premise};

pub type Vector = Vec<u32>;

/// All vectors with one state of each LTS.
pub fn all_vectors(members: &[&Lts]) -> Vec<Vector> {
    let mut all = vec![vec![]];
    for member in members {
        let longer = |v: Vector| {
            (0..member.states() as u32).map(move |s| {
                let mut v = v.clone();
                v.push(s);
                v
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn has_edge(lts: &Lts, from: u32, label: Label, to: u32) -> bool {
    lts.all_edges().any(|edge| edge == (from, label, to))
}

/// Is that a step of the LTSs together, priority aside?
pub fn is_step(members: &[&Lts], from: &[u32], label: Label, to: &[u32]) -> bool {
    let n = members.len();
    if label.is_tau() {
        return (0..n).any(|i| {
            has_edge(members[i], from[i], label, to[i])
                && (0..n).all(|j| j == i || from[j] == to[j])
        });
    }
    (0..n).any(|i| members[i].alphabet().contains(&label))
        && (0..n).all(|i| match members[i].alphabet().contains(&label) {
            true => has_edge(members[i], from[i], label, to[i]),
            false => from[i] == to[i],
        })
}

/// All steps, priority respected: label, successor, whether a member of the mask may take part.
pub fn steps(network: &Network, members: &[&Lts], from: &[u32]) -> Vec<(Label, Vector)> {
    steps_of(network, members, from, Claim::Property(usize::MAX))
}

/// The same, as far as they matter for a claim.
pub fn steps_of(
    network: &Network,
    members: &[&Lts],
    from: &[u32],
    claim: Claim,
) -> Vec<(Label, Vector)> {
    let labels = || (0..network.labels.len() as u32).map(Label);
    let all = all_vectors(members);
    let mut found = vec![];
    for label in labels() {
        for to in &all {
            if is_step(members, from, label, to) {
                found.push((label, to.clone()));
            }
        }
    }
    let Some(priority) = &network.priority else {
        return found;
    };
    let named = |l: Label| priority.labels.contains(&l);
    let outside = network.outside(claim);
    let outside = |l: Label| outside.contains(&l);
    let some_named = found.iter().any(|(l, _)| named(*l) && !outside(*l));
    let some_other = found.iter().any(|(l, _)| !named(*l) && !outside(*l));
    found.retain(|(l, _)| match priority.low {
        _ if outside(*l) => true,
        true => !(named(*l) && some_other),
        false => named(*l) || !some_named,
    });
    found
}

pub fn ltss(network: &Network) -> Vec<&Lts> {
    network.components.iter().map(|c| &c.lts).collect()
}

fn process_can(network: &Network, numbers: &[usize], from: &[u32], step: &(Label, Vector)) -> bool {
    let (label, to) = step;
    let is_process = |n: usize| network.components[n].kind == ComponentKind::Process;
    (0..numbers.len()).any(|i| {
        let lts = &network.components[numbers[i]].lts;
        let others_stay = (0..numbers.len()).all(|j| j == i || from[j] == to[j]);
        is_process(numbers[i])
            && match label.is_tau() {
                true => has_edge(lts, from[i], *label, to[i]) && others_stay,
                false => lts.alphabet().contains(label),
            }
    })
}

/// Is everyone where the system says that stopping is success?
fn ended(network: &Network, numbers: &[usize], from: &[u32]) -> bool {
    let Some(ends) = &network.success else {
        return false;
    };
    let mut pairs = numbers.iter().zip(from);
    pairs.all(|(n, s)| ends[*n].is_none_or(|end| end == *s))
}

/// Does a vector of those components show no deadlock?
fn lively(network: &Network, numbers: &[usize], from: &[u32]) -> bool {
    let members: Vec<&Lts> = numbers
        .iter()
        .map(|n| &network.components[*n].lts)
        .collect();
    let ended = ended(network, numbers, from);
    let all = steps_of(network, &members, from, Claim::DeadlockFree);
    ended
        || all
            .iter()
            .any(|step| process_can(network, numbers, from, step))
}

/// Is the claim true? Decided on the whole composition, with a shortest counterexample.
pub fn truth(network: &Network, claim: Claim) -> Result<BTreeSet<Vector>, Counterexample> {
    let members = ltss(network);
    let numbers: Vec<usize> = (0..members.len()).collect();
    let property = match claim {
        Claim::Property(p) => Some(&network.properties[p].lts),
        Claim::DeadlockFree | Claim::Liveness(_) => None,
    };
    let mut start: Vector = members.iter().map(|m| m.initial()).collect();
    start.extend(property.map(|p| p.initial()));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, vec![])]);
    while let Some((now, run)) = queue.pop_front() {
        let states = &now[..members.len()];
        if property.is_none() && !lively(network, &numbers, states) {
            return Err(Counterexample::finite(claim, run));
        }
        for (label, mut next) in steps_of(network, &members, states, claim) {
            let mut run = run.clone();
            let states = next.clone();
            run.push(suppose_model::NetworkStep { label, states });
            if let Some(property) = property {
                let at = now[members.len()];
                match property.alphabet().contains(&label) {
                    false => next.push(at),
                    true => match property.successors(at, label).first() {
                        Some(edge) => next.push(edge.target),
                        None => return Err(Counterexample::finite(claim, run)),
                    },
                }
            }
            if seen.insert(next.clone()) {
                queue.push_back((next, run));
            }
        }
    }
    Ok(seen)
}

/// Is the run one of the system, and does it refute its claim?
pub fn refutes(network: &Network, evidence: &Counterexample) -> bool {
    let members = ltss(network);
    let mut now: Vector = members.iter().map(|m| m.initial()).collect();
    for step in &evidence.steps {
        let all = steps_of(network, &members, &now, evidence.claim);
        if !all.contains(&(step.label, step.states.clone())) {
            return false;
        }
        now.clone_from(&step.states);
    }
    let numbers: Vec<usize> = (0..members.len()).collect();
    let Claim::Property(p) = evidence.claim else {
        return !lively(network, &numbers, &now);
    };
    let Some(property) = network.properties.get(p) else {
        return false;
    };
    let mut trace: Vec<Label> = evidence.steps.iter().map(|s| s.label).collect();
    let Some(last) = trace.pop() else {
        return false;
    };
    let accepts = |trace: &[Label]| {
        let mut state = Some(property.lts.initial());
        for label in trace.iter().filter(|l| property.lts.alphabet().contains(l)) {
            let edge =
                state.and_then(|s| property.lts.all_edges().find(|e| (e.0, e.1) == (s, *label)));
            state = edge.map(|e| e.2);
        }
        state.is_some()
    };
    let mut whole = trace.clone();
    whole.push(last);
    accepts(&trace) && !accepts(&whole)
}

/// Does the certificate prove its claim by the rules?
pub fn proves(network: &Network, certificate: &Certificate) -> bool {
    let mut proven = BTreeSet::new();
    let known = |l: &Label| l.index() < network.labels.len();
    for assumption in &certificate.assumptions {
        let nodes = assumption.nodes.len();
        if assumption.lts.error().is_some()
            || !assumption.lts.alphabet().iter().all(known)
            || (nodes != 0 && nodes != assumption.lts.states())
        {
            return false;
        }
    }
    for premise in &certificate.premises {
        if !premise_holds(network, certificate, premise, &proven) {
            return false;
        }
        if let Guarantee::Assumption(a) = premise.guarantee {
            proven.insert(a);
        }
    }
    let last = certificate.premises.last().map(|p| p.guarantee);
    last == Some(match certificate.claim {
        Claim::Property(p) => Guarantee::Property(p),
        Claim::DeadlockFree => Guarantee::DeadlockFree,
        Claim::Liveness(_) => return false,
    })
}

fn distinct(numbers: &[usize], below: usize) -> bool {
    let set: BTreeSet<_> = numbers.iter().collect();
    set.len() == numbers.len() && numbers.iter().all(|n| *n < below)
}

fn premise_holds(
    network: &Network,
    certificate: &Certificate,
    premise: &Premise,
    proven: &BTreeSet<usize>,
) -> bool {
    let components = network.components.len();
    if !distinct(&premise.components, components)
        || !distinct(&premise.assumptions, certificate.assumptions.len())
        || !premise.assumptions.iter().all(|a| proven.contains(a))
    {
        return false;
    }
    let whole = premise.components.len() == components && premise.assumptions.is_empty();
    if network.priority.is_some() && !whole {
        return false;
    }
    let component = |n: &usize| &network.components[*n].lts;
    let assumed = |n: &usize| &certificate.assumptions[*n].lts;
    let left: Vec<&Lts> = premise.components.iter().map(component).collect();
    let left: Vec<&Lts> = left
        .into_iter()
        .chain(premise.assumptions.iter().map(assumed))
        .collect();
    let right = match premise.guarantee {
        Guarantee::Assumption(a) => certificate.assumptions.get(a).map(|a| &a.lts),
        Guarantee::Property(p) => network.properties.get(p).map(|p| &p.lts),
        Guarantee::DeadlockFree => {
            return premise.assumptions.is_empty()
                && nobody_needed_is_missing(network, premise)
                && is_closed(network, &left, None, premise)
                && vectors(premise)
                    .iter()
                    .all(|v| lively(network, &premise.components, v));
        }
    };
    right.is_some_and(|right| is_closed(network, &left, Some(right), premise))
}

fn nobody_needed_is_missing(network: &Network, premise: &Premise) -> bool {
    let is_process = |n: &usize| network.components[*n].kind == ComponentKind::Process;
    let alphabet = |n: usize| network.components[n].lts.alphabet();
    (0..network.components.len()).all(|n| {
        let shares = |p: usize| alphabet(p).iter().any(|l| alphabet(n).contains(l));
        let processes = (0..network.components.len()).filter(is_process);
        premise.components.contains(&n) || !(is_process(&n) || processes.into_iter().any(shares))
    })
}

pub fn vectors(premise: &Premise) -> Vec<Vector> {
    let vectors = premise.relation.vectors();
    let layout = vectors.layout();
    vectors.iter().map(|r| layout.unpack(r)).collect()
}

fn is_closed(network: &Network, left: &[&Lts], right: Option<&Lts>, premise: &Premise) -> bool {
    let sizes: Vec<usize> = left
        .iter()
        .copied()
        .chain(right)
        .map(|m| m.states())
        .collect();
    let relation = premise.relation.vectors();
    let layout = relation.layout();
    let wide = |(slot, size): (usize, &usize)| layout.fits(slot, *size as u32 - 1);
    if layout.slots() != sizes.len() || !sizes.iter().enumerate().all(wide) {
        return false;
    }
    let relation: BTreeSet<Vector> = vectors(premise).into_iter().collect();
    let start: Vector = left
        .iter()
        .copied()
        .chain(right)
        .map(|m| m.initial())
        .collect();
    let in_range = |v: &Vector| v.iter().zip(&sizes).all(|(s, size)| (*s as usize) < *size);
    if !relation.contains(&start) || !relation.iter().all(in_range) {
        return false;
    }
    relation.iter().all(|vector| {
        let (s, x) = vector.split_at(left.len());
        let claim = match premise.guarantee {
            Guarantee::DeadlockFree => Claim::DeadlockFree,
            Guarantee::Property(number) => Claim::Property(number),
            Guarantee::Assumption(_) => Claim::Property(usize::MAX),
        };
        let mut moves = steps_of(network, left, s, claim);
        let nobody = |l: &Label| !left.iter().any(|m| m.alphabet().contains(l));
        let free = right
            .into_iter()
            .flat_map(|r| r.alphabet())
            .copied()
            .filter(nobody);
        moves.extend(free.map(|l| (l, s.to_vec())));
        moves.iter().all(|(label, to)| {
            let with = |y: Option<u32>| to.iter().copied().chain(y).collect::<Vector>();
            match right {
                Some(right) if right.alphabet().contains(label) => (0..right.states() as u32)
                    .any(|y| has_edge(right, x[0], *label, y) && relation.contains(&with(Some(y)))),
                _ => relation.contains(&with(x.first().copied())),
            }
        })
    })
}
