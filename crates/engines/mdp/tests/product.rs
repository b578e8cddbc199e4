//! The product that engines and the checker of evidence share is the one that a naive reading of the definition gives.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::State;
use suppose_model::mdp::{Lpts, SizeLimits, compose};
use suppose_testkit::for_each_seed;
use suppose_testkit::markov::{NaiveChoice, naive_product};
use suppose_testkit::markov_pctl::{MarkovShape, random_system};

#[test]
fn the_product_is_that_of_the_definition() {
    for_each_seed(3_000, |rng| {
        let shape = MarkovShape {
            components: 4,
            states: 4,
            choices: 3,
            branches: 3,
            weight: 9,
        };
        let system = random_system(rng, &shape);
        let parts: Vec<&Lpts> = system.parts();
        let whole =
            compose("whole", &parts, &SizeLimits::default(), &mut |_| Ok(())).expect("small");
        let mut ours: BTreeMap<Vec<State>, BTreeSet<NaiveChoice>> = BTreeMap::new();
        for state in 0..whole.lpts.states() as State {
            let choices = whole.lpts.choices(state).iter().map(|choice| {
                let branches = whole.lpts.dist(choice.dist).probabilities();
                let branches = branches.map(|(to, p)| (whole.vector(to), p));
                (choice.label, branches.collect())
            });
            ours.insert(whole.vector(state), choices.collect());
        }
        assert_eq!(ours, naive_product(&parts));
        for (slot, part) in parts.iter().enumerate() {
            for (number, truth) in part.propositions() {
                for state in 0..whole.lpts.states() as State {
                    let expected = truth.contains(whole.vector(state)[slot] as usize);
                    assert_eq!(whole.lpts.satisfies(state, *number), Some(expected));
                }
            }
        }
    });
}
