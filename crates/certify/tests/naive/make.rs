//! A simple producer of certificates.

use std::collections::{BTreeSet, VecDeque};

use suppose_model::lts::{Label, Layout, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Node, Premise};

use super::random::Rng;
use super::{Vector, steps};

pub fn pack(sizes: &[u32], vectors: &BTreeSet<Vector>) -> PackedStates {
    let mut relation = PackedStates::new(Layout::new(sizes.iter().copied()));
    for vector in vectors {
        relation.push(&relation.layout().pack(vector).unwrap());
    }
    relation
}

fn sizes(members: &[&Lts]) -> Vec<u32> {
    members.iter().map(|m| m.states() as u32).collect()
}

/// One premise: all that can be reached.
pub fn monolithic(network: &Network, claim: Claim, reached: &BTreeSet<Vector>) -> Certificate {
    let mut members = super::ltss(network);
    let guarantee = match claim {
        Claim::Property(p) => {
            members.push(&network.properties[p].lts);
            Guarantee::Property(p)
        }
        Claim::DeadlockFree | Claim::Liveness(_) => Guarantee::DeadlockFree,
    };
    let premise = Premise {
        components: (0..network.components.len()).collect(),
        assumptions: vec![],
        guarantee,
        relation: pack(&sizes(&members), reached).into(),
    };
    Certificate {
        claim,
        assumptions: vec![],
        premises: vec![premise],
        liveness: None,
    }
}

/// The members together allow the property: what is reached, if it holds.
fn allows(network: &Network, members: &[&Lts], property: &Lts) -> Option<BTreeSet<Vector>> {
    let mut start: Vector = members.iter().map(|m| m.initial()).collect();
    start.push(property.initial());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    while let Some(now) = queue.pop_front() {
        let (s, x) = now.split_at(members.len());
        let nobody = |l: &Label| !members.iter().any(|m| m.alphabet().contains(l));
        let mut moves = steps(network, members, s);
        let free = property.alphabet().iter().copied().filter(nobody);
        moves.extend(free.map(|l| (l, s.to_vec())));
        for (label, mut next) in moves {
            match property.alphabet().contains(&label) {
                true => next.push(property.successors(x[0], label).first()?.target),
                false => next.push(x[0]),
            }
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Some(seen)
}

/// An abstraction of the members over the alphabet, with so many classes, chosen at random, and
/// the relation that shows it to be one: `(s, x)` where `x` is the class that the members were in
/// after the last visible step.
fn abstraction(
    network: &Network,
    members: &[&Lts],
    alphabet: &[Label],
    classes: u32,
    rng: &mut Rng,
) -> (Lts, BTreeSet<Vector>) {
    let salt = rng.next();
    let class = |s: &[u32]| {
        let hash = s.iter().fold(salt, |h, x| Rng(h ^ u64::from(*x)).next());
        (hash % u64::from(classes)) as u32
    };
    let mut builder = LtsBuilder::new("A");
    builder
        .states(classes)
        .extend_alphabet(alphabet.iter().copied());
    let mut start: Vector = members.iter().map(|m| m.initial()).collect();
    let first = class(&start);
    builder.initial(first);
    start.push(first);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    while let Some(now) = queue.pop_front() {
        let (s, x) = now.split_at(members.len());
        let nobody = |l: &Label| !members.iter().any(|m| m.alphabet().contains(l));
        let mut moves = steps(network, members, s);
        moves.extend(
            alphabet
                .iter()
                .copied()
                .filter(nobody)
                .map(|l| (l, s.to_vec())),
        );
        for (label, mut next) in moves {
            let to = match alphabet.contains(&label) {
                true => class(&next),
                false => x[0],
            };
            if alphabet.contains(&label) {
                builder.edge(x[0], label, to);
            }
            next.push(to);
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    (builder.build(), seen)
}

/// A chain of assumptions over groups of the components: the last group guarantees the first
/// assumption, each group before it, under that, the next, and the first group the property.
/// Two groups: rule 1. None if the abstractions, which are chosen at random, are too coarse.
pub fn chain(network: &Network, property: usize, rng: &mut Rng) -> Option<Certificate> {
    let count = network.components.len();
    let groups = 2 + rng.below(2);
    let of: Vec<usize> = (0..count).map(|_| rng.below(groups)).collect();
    let lts = &network.properties[property].lts;
    let mut assumptions: Vec<Assumption> = vec![];
    let mut premises = vec![];
    for group in 0..groups {
        let components: Vec<usize> = (0..count).filter(|c| of[*c] == group).collect();
        let used: Vec<usize> = assumptions.len().checked_sub(1).into_iter().collect();
        let mut members: Vec<&Lts> = components
            .iter()
            .map(|c| &network.components[*c].lts)
            .collect();
        members.extend(used.iter().map(|a| &assumptions[*a].lts));
        let (guarantee, reached, made) = if group + 1 == groups {
            let reached = allows(network, &members, lts)?;
            (Guarantee::Property(property), reached, None)
        } else {
            let visible = |_: &Label| !rng.once_in(6);
            let alphabet: Vec<Label> = network.labels.iter().filter(visible).collect();
            let classes = 1 + rng.below(6) as u32;
            let (lts, reached) = abstraction(network, &members, &alphabet, classes, rng);
            (Guarantee::Assumption(group), reached, Some(lts))
        };
        let mut sizes = sizes(&members);
        sizes.push(made.as_ref().unwrap_or(lts).states() as u32);
        premises.push(Premise {
            components,
            assumptions: used,
            guarantee,
            relation: pack(&sizes, &reached).into(),
        });
        assumptions.extend(made.map(|lts| Assumption {
            nodes: match rng.once_in(2) {
                true => vec![Node::default(); lts.states()],
                false => vec![],
            },
            lts,
        }));
    }
    Some(Certificate {
        claim: Claim::Property(property),
        assumptions,
        premises,
        liveness: None,
    })
}
