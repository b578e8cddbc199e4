//! Classes of states, and the quotient by them.

use fixedbitset::FixedBitSet;
use suppose_model::mdp::{DistId, Lpts, LptsBuilder, State, Weights};

/// A partition of the states of a system.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Classes {
    /// From any numbering of classes: they are numbered anew, as they occur.
    pub fn from_keys<K: std::hash::Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut numbers = rustc_hash::FxHashMap::default();
        let (mut of, mut sizes) = (Vec::new(), Vec::new());
        for key in keys {
            let next = sizes.len() as u32;
            let class = *numbers.entry(key).or_insert(next);
            if class == next {
                sizes.push(0);
            }
            sizes[class as usize] += 1;
            of.push(class);
        }
        Classes { of, sizes }
    }

    /// The coarsest partition that keeps these propositions apart, and, if asked for, which actions are enabled.
    pub fn coarsest(lpts: &Lpts, propositions: &[u32], enabled: bool) -> Self {
        Classes::from_keys((0..lpts.states() as State).map(|state| {
            let truths: Vec<_> = propositions
                .iter()
                .map(|p| lpts.satisfies(state, *p))
                .collect();
            let mut labels = Vec::new();
            if enabled {
                labels.extend(lpts.choices(state).iter().map(|c| c.label));
                labels.dedup();
            }
            (truths, labels)
        }))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The class of a state.
    pub fn of(&self, state: State) -> u32 {
        self.of[state as usize]
    }

    /// The classes of all states.
    pub fn all(&self) -> &[u32] {
        &self.of
    }

    /// The states of every class, ascending.
    pub fn members(&self) -> Vec<Vec<State>> {
        let mut members: Vec<Vec<State>> = self
            .sizes
            .iter()
            .map(|n| Vec::with_capacity(*n as usize))
            .collect();
        for (state, class) in self.of.iter().enumerate() {
            members[*class as usize].push(state as State);
        }
        members
    }

    /// Separates these states from all others. Says how many classes were added; the class that `old` says a new
    /// one came from is pushed there.
    pub fn split(&mut self, states: &[State], old: &mut Vec<u32>) -> usize {
        let mut sorted: Vec<(u32, State)> = states.iter().map(|s| (self.of(*s), *s)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let before = self.len();
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let class = group[0].0;
            if group.len() == self.sizes[class as usize] as usize {
                continue;
            }
            let new = self.len() as u32;
            self.sizes.push(group.len() as u32);
            self.sizes[class as usize] -= group.len() as u32;
            old.push(old[class as usize]);
            for (_, state) in group {
                self.of[*state as usize] = new;
            }
        }
        self.len() - before
    }
}

/// A quotient that knows where the distributions of the system went.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    /// The quotient (Definition 13 of the thesis): class for class what some member can do.
    pub lpts: Lpts,
    /// For every distribution of the system its image.
    pub lifted: Vec<DistId>,
}

/// The quotient by a partition, with these propositions only.
pub(crate) fn quotient(lpts: &Lpts, classes: &Classes, propositions: &[u32]) -> Quotient {
    let mut builder = LptsBuilder::new(lpts.name());
    builder.states(classes.len());
    builder.initial(classes.of(lpts.initial()));
    builder.extend_alphabet(lpts.alphabet().iter().copied());
    let lifted = lift_all(lpts, classes, &mut builder);
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let dist = lifted[choice.dist.index()];
            builder.choice_of(classes.of(state), choice.label, dist);
        }
    }
    for number in propositions {
        let known = lpts.propositions().iter().find(|(n, _)| n == number);
        if let Some((_, states)) = known {
            let mut image = FixedBitSet::with_capacity(classes.len());
            for state in states.ones() {
                image.insert(classes.of(state as State) as usize);
            }
            builder.proposition(*number, image);
        }
    }
    let lpts = builder.build();
    Quotient { lpts, lifted }
}

fn lift_all(lpts: &Lpts, classes: &Classes, builder: &mut LptsBuilder) -> Vec<DistId> {
    let all = lpts.distributions();
    let (mut small, mut big) = (Vec::new(), Vec::new());
    let mut lifted = Vec::with_capacity(all.len());
    for id in 0..all.len() as u32 {
        let dist = all.get(DistId(id));
        let targets = dist.targets().iter().map(|s| classes.of(*s));
        let image = match dist.weights() {
            Weights::Small(weights) => {
                small.clear();
                small.extend(targets.zip(weights.iter().copied()));
                builder.store().insert_weights(&mut small)
            }
            Weights::Big(weights) => {
                big.clear();
                big.extend(targets.zip(weights.iter().cloned()));
                builder.store().insert_ints(&mut big)
            }
        };
        // A distribution is never empty, so neither is its image.
        lifted.push(image.unwrap_or(DistId(0)));
    }
    lifted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_separates_within_every_class() {
        let mut classes = Classes::from_keys([0, 0, 1, 1, 1]);
        let mut old = vec![0, 1];
        assert_eq!(classes.split(&[1, 2, 3], &mut old), 2);
        assert_eq!(classes.members(), [vec![0], vec![4], vec![1], vec![2, 3]]);
        assert_eq!(old, [0, 1, 0, 1]);
        assert_eq!(classes.split(&[4, 2, 3], &mut old), 0);
    }
}
