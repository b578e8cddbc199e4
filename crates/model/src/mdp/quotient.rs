//! Merging states.

use super::distribution::Weights;
use super::lpts::{Lpts, LptsBuilder};
use crate::lts::State;

/// The quotient by a partition (Definition 13 of the thesis): its states are the classes, and a class has, lifted, every choice of its
/// members. It simulates the system, each state by its class.
///
/// `class_of` gives a class below `classes` to every state. A proposition is true in a class if it is true in some
/// member: partitions that must keep propositions never put states that differ into one class.
pub fn quotient(lpts: &Lpts, class_of: &[u32], classes: usize) -> Lpts {
    let mut builder = LptsBuilder::new(lpts.name());
    builder.states(classes);
    builder.initial(class_of[lpts.initial() as usize]);
    builder.extend_alphabet(lpts.alphabet().iter().copied());
    let mut lifted = vec![None; lpts.distributions().len()];
    let mut parts = Vec::new();
    let mut ints = Vec::new();
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let dist = lpts.dist(choice.dist);
            let class = |s: &State| class_of[*s as usize];
            let id = *lifted[choice.dist.index()].get_or_insert_with(|| {
                let targets = dist.targets().iter().map(class);
                let id = match dist.weights() {
                    Weights::Small(weights) => {
                        parts.clear();
                        parts.extend(targets.zip(weights.iter().copied()));
                        builder.store().insert_weights(&mut parts)
                    }
                    Weights::Big(weights) => {
                        ints.clear();
                        ints.extend(targets.zip(weights.iter().cloned()));
                        builder.store().insert_ints(&mut ints)
                    }
                };
                // A distribution is never empty, so neither is its image.
                id.unwrap_or(super::DistId(0))
            });
            builder.choice_of(class_of[state as usize], choice.label, id);
        }
    }
    for (number, states) in lpts.propositions() {
        let mut image = fixedbitset::FixedBitSet::with_capacity(classes);
        for state in states.ones() {
            image.insert(class_of[state] as usize);
        }
        builder.proposition(*number, image);
    }
    builder.build()
}
