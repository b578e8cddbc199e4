//! The coarsest strong bisimulation of a system: states that have the same choices, up to that bisimulation.
//!
//! Partition refinement by signatures, in rounds: the signature of a state is its class and its choices, with distributions
//! lifted to classes and compared exactly. A system and its quotient by these classes simulate each other.
//!
//! [`crate::simulation::simulate`] does not use it. On a product of 255,879 states it takes 1.5 s and merges nothing, as the actions of the
//! parts have names of their own, where a check against a specification of 16 states takes 1.0 s (`cargo run --release -p
//! suppose-mdp --example large 10 bisimulation`).

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_control::{Context, Stopped};
use suppose_model::lts::State;
use suppose_model::mdp::{DistId, Distributions, Lpts, Weights};

/// A partition of states, numbered in the order of their first states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of every state.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

/// The classes of the coarsest strong bisimulation that keeps propositions apart.
pub fn bisimulation(lpts: &Lpts, cx: &Context) -> Result<Classes, Stopped> {
    let mut classes = by_propositions(lpts);
    loop {
        let finer = refine(lpts, &classes, cx)?;
        if finer.count == classes.count {
            return Ok(classes);
        }
        classes = finer;
    }
}

/// Numbers signatures in the order they occur.
#[derive(Default)]
struct Signatures {
    numbers: HashMap<Box<[u32]>, u32, FxBuildHasher>,
    of: Vec<u32>,
}

impl Signatures {
    fn add(&mut self, signature: &[u32]) {
        let number = match self.numbers.get(signature) {
            Some(number) => *number,
            None => {
                let number = self.numbers.len() as u32;
                self.numbers.insert(signature.into(), number);
                number
            }
        };
        self.of.push(number);
    }

    fn classes(self) -> Classes {
        Classes {
            count: self.numbers.len(),
            of: self.of,
        }
    }
}

fn by_propositions(lpts: &Lpts) -> Classes {
    let mut signatures = Signatures::default();
    for state in 0..lpts.states() {
        let known = lpts.propositions().iter();
        let truth = known.map(|(_, truth)| u32::from(truth.contains(state)));
        signatures.add(&truth.collect::<Vec<_>>());
    }
    signatures.classes()
}

/// Splits classes once by what their states do.
fn refine(lpts: &Lpts, classes: &Classes, cx: &Context) -> Result<Classes, Stopped> {
    let lifted = lift(lpts, classes, cx)?;
    let mut signatures = Signatures::default();
    let (mut choices, mut signature) = (Vec::new(), Vec::new());
    for state in 0..lpts.states() as State {
        if state.is_multiple_of(256) {
            cx.check()?;
        }
        choices.clear();
        let all = lpts.choices(state).iter();
        choices.extend(all.map(|c| (c.label.0, lifted[c.dist.index()].0)));
        choices.sort_unstable();
        choices.dedup();
        signature.clear();
        signature.push(classes.of[state as usize]);
        signature.extend(choices.iter().flat_map(|(label, dist)| [*label, *dist]));
        signatures.add(&signature);
    }
    Ok(signatures.classes())
}

/// For every distribution the number of its image.
fn lift(lpts: &Lpts, classes: &Classes, cx: &Context) -> Result<Vec<DistId>, Stopped> {
    let count = lpts.distributions().len();
    cx.reserve(4 * count as u64)?;
    let mut images = Distributions::new();
    let mut lifted = Vec::with_capacity(count);
    let (mut small, mut big) = (Vec::new(), Vec::new());
    for id in 0..count as u32 {
        if id.is_multiple_of(256) {
            cx.check()?;
        }
        let dist = lpts.dist(DistId(id));
        let targets = dist.targets().iter().map(|s| classes.of[*s as usize]);
        let image = match dist.weights() {
            Weights::Small(weights) => {
                small.clear();
                small.extend(targets.zip(weights.iter().copied()));
                images.insert_weights(&mut small)
            }
            Weights::Big(weights) => {
                big.clear();
                big.extend(targets.zip(weights.iter().cloned()));
                images.insert_ints(&mut big)
            }
        };
        // A distribution is never empty, so neither is its image.
        lifted.push(image.unwrap_or(DistId(0)));
    }
    Ok(lifted)
}

#[cfg(test)]
mod tests {
    use suppose_model::mdp::quotient;
    use suppose_testkit::for_each_seed;
    use suppose_testkit::markov::{LptsShape, naive_simulation, random_lpts};

    use super::*;

    /// All partitions finer than the result are too fine, by definition: two states are bisimilar if they have the
    /// same choices up to a partition that has this property.
    fn is_bisimulation(lpts: &Lpts, of: &[u32]) -> bool {
        let choices = |state: usize| {
            let all = lpts.choices(state as State).iter();
            let lifted = all.map(|c| {
                let mut masses = std::collections::BTreeMap::new();
                for (target, p) in lpts.dist(c.dist).probabilities() {
                    let mass: &mut suppose_number::Rat = masses
                        .entry(of[target as usize])
                        .or_insert(suppose_number::Rat::ZERO);
                    *mass = &*mass + &p;
                }
                (c.label, masses)
            });
            let mut all: Vec<_> = lifted.collect();
            all.sort();
            all.dedup();
            all
        };
        let truths = |state: usize| {
            let known = lpts.propositions().iter();
            known.map(|(_, t)| t.contains(state)).collect::<Vec<_>>()
        };
        (0..lpts.states()).all(|a| {
            (0..a).all(|b| of[a] != of[b] || (choices(a) == choices(b) && truths(a) == truths(b)))
        })
    }

    /// All partitions of this many states, as classes numbered in the order they occur.
    fn partitions(states: usize) -> Vec<Vec<u32>> {
        (0..states).fold(vec![Vec::new()], |all, _| {
            let longer = all.into_iter().flat_map(|of: Vec<u32>| {
                let next = of.iter().max().map_or(0, |m| m + 1);
                (0..=next).map(move |class| [&of[..], &[class]].concat())
            });
            longer.collect()
        })
    }

    #[test]
    fn the_coarsest_of_all_partitions_that_are_bisimulations() {
        for_each_seed(1500, |rng| {
            let shape = LptsShape {
                states: (1, 5),
                ..LptsShape::any(rng)
            };
            let lpts = random_lpts(rng, &shape);
            let found = bisimulation(&lpts, &Context::default()).unwrap();
            let all = partitions(lpts.states());
            let all = all.into_iter().filter(|of| is_bisimulation(&lpts, of));
            let coarsest = all.min_by_key(|of| of.iter().max().copied());
            assert_eq!(Some(found.of), coarsest);
        });
    }

    #[test]
    fn a_system_and_its_quotient_simulate_each_other() {
        for_each_seed(500, |rng| {
            let shape = LptsShape::any(rng);
            let lpts = random_lpts(rng, &shape);
            let classes = bisimulation(&lpts, &Context::default()).unwrap();
            let small = quotient(&lpts, &classes.of, classes.count);
            let (up, down) = (
                naive_simulation(&lpts, &small, &[]),
                naive_simulation(&small, &lpts, &[]),
            );
            for (state, class) in classes.of.iter().enumerate() {
                assert!(up[state][*class as usize] && down[*class as usize][state]);
            }
        });
    }
}
