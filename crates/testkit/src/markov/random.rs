//! Random probabilistic systems.

use fixedbitset::FixedBitSet;
use suppose_model::lts::{Label, State};
use suppose_model::mdp::{Lpts, LptsBuilder, quotient};

use crate::rng::Rng;

/// How large and of what kind random systems are. Ranges include both ends.
#[derive(Clone, Debug)]
pub struct LptsShape {
    /// States.
    pub states: (usize, usize),
    /// Labels, besides `tau`; numbered from 1.
    pub labels: usize,
    /// Choices of a state.
    pub choices: (usize, usize),
    /// States a choice can lead to.
    pub support: (usize, usize),
    /// Weights of branches.
    pub weight: u64,
    /// How often a choice is `tau`, in a hundred.
    pub tau: u32,
    /// At most one choice for each label of a state?
    pub reactive: bool,
    /// Propositions, numbered from 0.
    pub propositions: u32,
}

impl Default for LptsShape {
    fn default() -> Self {
        LptsShape {
            states: (1, 5),
            labels: 2,
            choices: (0, 3),
            support: (1, 3),
            weight: 3,
            tau: 10,
            reactive: false,
            propositions: 0,
        }
    }
}

impl LptsShape {
    /// Any kind: reactive, certain, with `tau`, with few or many probabilities, with propositions.
    pub fn any(rng: &mut Rng) -> Self {
        LptsShape {
            states: (1, rng.between(2, 6)),
            labels: rng.between(1, 3),
            choices: (rng.below(2), rng.between(1, 3)),
            support: (1, *rng.pick(&[1, 2, 2, 3, 3, 4]).unwrap_or(&2)),
            weight: *rng.pick(&[1, 2, 3, 3, 10, u64::MAX / 5]).unwrap_or(&3),
            tau: *rng.pick(&[0, 0, 20]).unwrap_or(&0),
            reactive: rng.percent(40),
            propositions: u32::from(rng.percent(15)),
        }
    }
}

/// A random distribution over that many states.
fn weights(rng: &mut Rng, shape: &LptsShape, states: usize) -> Vec<(State, u64)> {
    let count = rng.between(shape.support.0, shape.support.1);
    let mut parts = Vec::new();
    for _ in 0..count.max(1) {
        let weight = rng.next_u64() % shape.weight.max(1) + 1;
        parts.push((rng.below(states) as State, weight));
    }
    parts
}

/// A random system.
pub fn random_lpts(rng: &mut Rng, shape: &LptsShape) -> Lpts {
    let states = rng.between(shape.states.0, shape.states.1).max(1);
    let mut it = LptsBuilder::new("random");
    it.states(states);
    for state in 0..states as State {
        let mut labels = Vec::new();
        for _ in 0..rng.between(shape.choices.0, shape.choices.1) {
            let label = match rng.percent(shape.tau) {
                true => Label::TAU,
                false => Label(rng.between(1, shape.labels.max(1)) as u32),
            };
            if shape.reactive && labels.contains(&label) {
                continue;
            }
            labels.push(label);
            let mut parts = weights(rng, shape, states);
            if let Some(dist) = it.store().insert_weights(&mut parts) {
                it.choice_of(state, label, dist);
            }
        }
    }
    for number in 0..shape.propositions {
        let mut truth = FixedBitSet::with_capacity(states);
        (0..states).for_each(|state| truth.set(state, rng.percent(30)));
        it.proposition(number, truth);
    }
    it.build()
}

/// A random tree: node 0 is the root and branches lead to higher numbers. (Nodes are not shared.)
pub fn random_tree(rng: &mut Rng, shape: &LptsShape, nodes: usize) -> Lpts {
    let mut it = LptsBuilder::new("tree");
    it.states(1);
    let mut state = 0;
    while (state as usize) < it.state_count() {
        for _ in 0..rng.between(shape.choices.0, shape.choices.1) {
            let room = nodes.saturating_sub(it.state_count());
            let count = rng.between(shape.support.0, shape.support.1).min(room);
            let first = it.state_count() as State;
            let fresh = first..first + count as State;
            let mut parts: Vec<(State, u64)> = fresh
                .map(|s| (s, rng.next_u64() % shape.weight.max(1) + 1))
                .collect();
            let label = Label(rng.between(1, shape.labels.max(1)) as u32);
            if let Some(dist) = it.store().insert_weights(&mut parts) {
                it.choice_of(state, label, dist);
            }
        }
        state += 1;
    }
    it.build()
}

/// A system that may well simulate the given one: some states merged, choices added, and now and then a choice or a
/// probability changed.
pub fn relative(rng: &mut Rng, shape: &LptsShape, of: &Lpts) -> Lpts {
    let classes = rng.between(1, of.states());
    let class_of: Vec<u32> = (0..of.states())
        .map(|_| rng.below(classes) as u32)
        .collect();
    let merged = match rng.percent(50) {
        true => quotient(of, &class_of, classes),
        false => of.clone(),
    };
    let mut it = LptsBuilder::new("relative");
    it.states(merged.states());
    it.initial(merged.initial());
    let change = *rng.pick(&[0, 5, 15]).unwrap_or(&0);
    for state in 0..merged.states() as State {
        for choice in merged.choices(state) {
            let mut parts = match rng.percent(change) {
                true => weights(rng, shape, merged.states()),
                false => {
                    let id = it.store().insert(merged.dist(choice.dist));
                    it.choice_of(state, choice.label, id);
                    continue;
                }
            };
            if let Some(dist) = it.store().insert_weights(&mut parts) {
                it.choice_of(state, choice.label, dist);
            }
        }
        if rng.percent(20) {
            let label = Label(rng.between(1, shape.labels.max(1)) as u32);
            let mut parts = weights(rng, shape, merged.states());
            if let Some(dist) = it.store().insert_weights(&mut parts) {
                it.choice_of(state, label, dist);
            }
        }
    }
    for (number, truth) in merged.propositions() {
        it.proposition(*number, truth.clone());
    }
    it.build()
}

/// Two systems to compare: related, or of the same kind, or a tree and another.
pub fn random_pair(rng: &mut Rng) -> (Lpts, Lpts) {
    let shape = LptsShape::any(rng);
    let left = match rng.percent(15) {
        true => random_tree(rng, &shape, 12),
        false => random_lpts(rng, &shape),
    };
    let right = match rng.percent(70) {
        true => relative(rng, &shape, &left),
        false => random_lpts(rng, &shape),
    };
    (left, right)
}
