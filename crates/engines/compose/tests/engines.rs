//! Every engine against the naive checker: the same verdict, evidence that the independent checker
//! accepts, and shortest counterexamples from the breadth-first one.
//!
//! The short mode runs with the other tests. The long one is
//! `cargo test --release -p suppose-compose --test engines -- --ignored --nocapture`; it goes on from the seed in
//! `SUPPOSE_SEED` for `SUPPOSE_MODELS` models.

use suppose_compose::{agar, learn, monolithic};
use suppose_control::Context;
use suppose_model::lts::{Label, Labels, Lts, Network};
use suppose_model::{Answer, Claim, Verdict};
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::small::Small;
use suppose_testkit::{Rng, Shape, random};

/// The verdict, after its evidence was accepted; the length if it is a counterexample.
fn certified(network: &Network, answer: &Answer, what: &str) -> Option<usize> {
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            let accepted = suppose_certify::certificate(network, certificate, &Context::default());
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            None
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, run);
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            Some(run.steps.len())
        }
        Verdict::Unknown(reason) => panic!("{what}: no verdict, {reason:?}"),
    }
}

fn check_monolithic(network: &Network, claim: Claim, expected: NaiveVerdict, what: &str) {
    let answer = monolithic::check(network, claim, &Context::default());
    let found = match certified(network, &answer, what) {
        None => NaiveVerdict::Holds,
        Some(shortest) => NaiveVerdict::Violated { shortest },
    };
    assert_eq!(found, expected, "{what}: monolithic");
}

fn agar_options() -> Vec<agar::AgarOptions> {
    let mut all = Vec::new();
    for refine_alphabet in [false, true] {
        for splitting in [
            agar::Splitting::Stuck,
            agar::Splitting::Earliest,
            agar::Splitting::All,
        ] {
            for restart in [false, true] {
                all.push(agar::AgarOptions {
                    refine_alphabet,
                    splitting,
                    restart,
                });
            }
        }
    }
    all
}

fn learn_options() -> Vec<learn::LearningOptions> {
    let mut all = Vec::new();
    for algorithm in [learn::Algorithm::LStar, learn::Algorithm::Ttt] {
        for refine_alphabet in [false, true] {
            all.push(learn::LearningOptions {
                algorithm,
                refine_alphabet,
            });
        }
    }
    all
}

/// Checks one property with every engine; `turn` picks one variant of each unless `all`.
fn check_all(network: &Network, groups: &[Vec<usize>], turn: usize, all: bool, what: &str) {
    let cx = Context::default();
    for property in 0..network.properties.len() {
        let claim = Claim::Property(property);
        let expected = naive::check(network, claim);
        let holds = expected == NaiveVerdict::Holds;
        check_monolithic(network, claim, expected, what);
        for (number, options) in agar_options().iter().enumerate() {
            if all || number == turn % 12 {
                let what = format!("{what}, property {property}, groups {groups:?}, {options:?}");
                let answer = agar::check(network, property, groups, options, &cx);
                assert_eq!(
                    certified(network, &answer, &what).is_none(),
                    holds,
                    "{what}"
                );
            }
        }
        for (number, options) in learn_options().iter().enumerate() {
            if all || number == turn % 4 {
                let what = format!("{what}, property {property}, groups {groups:?}, {options:?}");
                let answer = learn::check(network, property, groups, options, &cx);
                assert_eq!(
                    certified(network, &answer, &what).is_none(),
                    holds,
                    "{what}"
                );
            }
        }
    }
}

fn random_groups(rng: &mut Rng, components: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); rng.between(1, components)];
    for component in 0..components {
        let group = rng.below(groups.len());
        groups[group].push(component);
    }
    groups
}

fn random_networks(first: u64, count: u64) -> u64 {
    let shapes = Shape::refining();
    let mut violated = 0;
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        let groups = random_groups(&mut rng, network.components.len());
        let what = format!("seed {seed}");
        check_all(&network, &groups, 0, true, &what);
        let deadlock = naive::check(&network, Claim::DeadlockFree);
        check_monolithic(&network, Claim::DeadlockFree, deadlock, &what);
        violated += u64::from(deadlock != NaiveVerdict::Holds);
    }
    violated
}

#[test]
fn every_engine_agrees_on_random_networks() {
    let violated = random_networks(1, 3000);
    assert!(
        violated > 100,
        "too few deadlocks to mean anything: {violated}"
    );
}

#[test]
fn the_monolithic_engine_agrees_under_priority() {
    let shape = Shape {
        priority: 100,
        ..Shape::default()
    };
    for seed in 0..2000 {
        let network = random::network(&mut Rng::new(seed), &shape);
        let what = format!("seed {seed}");
        for claim in (0..network.properties.len())
            .map(Claim::Property)
            .chain([Claim::DeadlockFree])
        {
            check_monolithic(&network, claim, naive::check(&network, claim), &what);
        }
    }
}

/// A system of two components over the labels `a` and `b`, with a property.
fn pair(labels: &Labels, one: &Lts, two: &Lts, property: &Lts) -> Network {
    let mut network = Network::new("pair", labels.clone());
    network.add_component(one.clone().named("one"));
    network.add_component(two.clone().named("two"));
    network.add_property(&property.clone().named("P"), None);
    network.close();
    network
}

/// The same with one label of the second component renamed, so that not all is shared.
fn renamed(lts: &Lts, from: Label, to: Label) -> Lts {
    lts.map_labels(|l| if l == from { to } else { l })
}

#[test]
fn every_engine_agrees_on_all_pairs_of_deterministic_components_with_three_states_and_two_labels() {
    let mut labels = random::labels(2);
    let (b, c) = (Label(2), labels.intern("c"));
    let small: Vec<Lts> = Small::properties(3, 2).iter().collect();
    let properties: Vec<Lts> = Small::properties(2, 2).iter().collect();
    let stride = if cfg!(debug_assertions) { 7 } else { 1 };
    let mut number = 0;
    for one in &small {
        for two in &small {
            number += 1;
            if number % stride != 0 {
                continue;
            }
            let property = &properties[number % properties.len()];
            let two = match number % 3 {
                0 => renamed(two, b, c),
                _ => two.clone(),
            };
            let network = pair(&labels, one, &two, property);
            let groups = [vec![number % 2], vec![1 - number % 2]];
            let what = format!("pair {number}");
            check_all(&network, &groups, number, false, &what);
        }
    }
    println!("{} pairs", number / stride);
}

#[test]
fn every_engine_agrees_on_every_component_with_three_states_and_two_labels() {
    let labels = random::labels(2);
    let partners: Vec<Lts> = Small::properties(3, 2).iter().collect();
    let properties: Vec<Lts> = Small::properties(2, 2).iter().collect();
    let stride = if cfg!(debug_assertions) { 5 } else { 1 };
    for (number, one) in Small::standard().iter().enumerate().step_by(stride) {
        let partner = &partners[number * 31 % partners.len()];
        let property = &properties[number * 17 % properties.len()];
        let network = pair(&labels, &one, partner, property);
        let groups = [vec![number % 2], vec![1 - number % 2]];
        check_all(
            &network,
            &groups,
            number / 2,
            false,
            &format!("component {number}"),
        );
    }
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name).ok().and_then(|v| v.parse().ok());
    value.unwrap_or(otherwise)
}

#[test]
#[ignore = "the long mode: minutes to hours"]
fn every_engine_agrees_on_millions_of_random_networks() {
    let first = from_environment("SUPPOSE_SEED", 1_000_000);
    let models = from_environment("SUPPOSE_MODELS", 2_000_000);
    println!("seeds {first} to {}", first + models - 1);
    random_networks(first, models);
}

#[test]
#[ignore = "the long mode: minutes to hours"]
fn every_engine_agrees_on_every_component_with_every_property() {
    let labels = random::labels(2);
    let properties: Vec<Lts> = Small::properties(2, 2).iter().collect();
    let partners: Vec<Lts> = Small::properties(2, 2).iter().collect();
    for (number, one) in Small::standard().iter().enumerate() {
        for (turn, property) in properties.iter().enumerate() {
            let partner = &partners[(number + turn) % partners.len()];
            let network = pair(&labels, &one, partner, property);
            let what = format!("component {number}, property {turn}");
            check_all(&network, &[vec![0], vec![1]], turn, false, &what);
        }
    }
}
