//! Compositional minimisation against the naive checker: the same verdict about deadlock, with evidence that the independent
//! checker accepts; and proofs that were damaged are rejected, unless they still prove it.
//!
//! The long mode is `cargo test --release -p suppose-compose --test minimise -- --ignored`, for `SUPPOSE_MODELS` models
//! from the seed in `SUPPOSE_SEED` on.

use suppose_compose::minimise;
use suppose_control::Context;
use suppose_model::lts::{Label, Lts, LtsBuilder, Network, PackedStates};
use suppose_model::{Certificate, Claim, Verdict};
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::small::Small;
use suppose_testkit::{Rng, Shape, random};

/// Decides, has the evidence checked, and compares. The proof if there is one.
fn decide(network: &Network, what: &str) -> Option<Certificate> {
    let answer = minimise::check(network, &Context::default());
    let expected = naive::check(network, Claim::DeadlockFree);
    match answer.verdict {
        Verdict::Holds(proof) => {
            let accepted = suppose_certify::certificate(network, &proof, &Context::default());
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            assert_eq!(expected, NaiveVerdict::Holds, "{what}");
            Some(*proof)
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, &run);
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            assert_ne!(expected, NaiveVerdict::Holds, "{what}");
            None
        }
        Verdict::Unknown(reason) => panic!("{what}: no verdict, {reason:?}"),
    }
}

/// Networks in which much is hidden, with ends, errors and nondeterminism.
fn shapes() -> [Shape; 4] {
    let shape = Shape::default();
    let ending = Shape {
        components: (2, 4),
        end: 90,
        shared: 80,
        ..shape.clone()
    };
    let loose = Shape {
        components: (3, 7),
        labels: (4, 12),
        shared: 30,
        tau: 25,
        ..shape.clone()
    };
    let errors = Shape {
        error: 30,
        edges_per_state: 300,
        ..shape.clone()
    };
    [shape, ending, loose, errors]
}

/// How many of the models have no deadlock, and how many of these are proved in parts.
fn random_networks(first: u64, count: u64) -> (u64, u64) {
    let shapes = shapes();
    let (mut proved, mut in_parts) = (0, 0);
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        let proof = decide(&network, &format!("seed {seed}"));
        proved += u64::from(proof.is_some());
        in_parts += u64::from(proof.is_some_and(|p| p.premises.len() > 1));
    }
    (proved, in_parts)
}

#[test]
fn random_networks_get_the_verdict_of_the_whole() {
    let count = 6_000;
    let (proved, in_parts) = random_networks(1, count);
    println!("{count} networks, {proved} without deadlock, {in_parts} in parts");
    let enough = proved > count / 10 && proved < count - count / 10 && in_parts > count / 20;
    assert!(enough, "{proved} without deadlock, {in_parts} in parts");
}

#[test]
#[ignore = "the long mode: minutes to hours"]
fn millions_of_random_networks_get_the_verdict_of_the_whole() {
    let value = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    let first = value("SUPPOSE_SEED").unwrap_or(1_000_000);
    let models = value("SUPPOSE_MODELS").unwrap_or(1_000_000);
    println!("seeds {first} to {}", first + models - 1);
    random_networks(first, models);
}

/// A system of these components.
fn system(parts: &[&Lts]) -> Network {
    let mut network = Network::new("small", random::labels(3));
    for (number, lts) in parts.iter().enumerate() {
        network.add_component((*lts).clone().named(format!("M{number}")));
    }
    network.close();
    network
}

/// A label of a component becomes another one, or `tau`.
fn renamed(lts: &Lts, from: Label, to: Label) -> Lts {
    lts.map_labels(|l| if l == from { to } else { l })
}

#[test]
fn all_small_components_beside_others_get_the_verdict_of_the_whole() {
    let (a, b, c) = (Label(1), Label(2), Label(3));
    let partners: Vec<Lts> = Small::properties(2, 2).iter().collect();
    for (number, one) in Small::standard().iter().enumerate().step_by(3) {
        let partner = &partners[number % partners.len()];
        let third = &partners[number / 7 % partners.len()];
        let (one, partner) = match number % 4 {
            0 => (one, partner.clone()),
            1 => (renamed(&one, b, Label::TAU), partner.clone()),
            2 => (one, renamed(partner, b, c)),
            _ => (renamed(&one, a, c), renamed(partner, b, c)),
        };
        let network = system(&[&one, &partner, third]);
        decide(&network, &format!("component {number}"));
    }
}

/// A component that goes through these labels again and again.
fn cycle(name: &str, labels: &[Label]) -> Lts {
    let mut builder = LtsBuilder::new(name);
    for (at, label) in labels.iter().enumerate() {
        builder.edge(at as u32, *label, ((at + 1) % labels.len()) as u32);
    }
    builder.build()
}

/// Cells in a row, each of which takes from the one before it and gives to the next.
fn row(cells: usize) -> Network {
    let labels = random::labels(cells + 1);
    let all: Vec<Label> = labels.iter().collect();
    let mut network = Network::new("row", labels);
    for (at, pair) in all.windows(2).enumerate() {
        network.add_component(cycle(&format!("C{at}"), pair));
    }
    network.close();
    network
}

#[test]
fn a_row_of_200_cells_has_no_deadlock_and_few_states_in_parts() {
    let network = row(200);
    let answer = minimise::check(&network, &Context::default());
    let Verdict::Holds(proof) = answer.verdict else {
        panic!("{:?}", answer.verdict);
    };
    assert!(suppose_certify::certificate(&network, &proof, &Context::default()).is_ok());
    assert!(answer.run.largest < 1_000, "{}", answer.run.largest);
}

#[test]
fn philosophers_who_take_the_left_fork_first_stop_and_one_who_does_not_helps() {
    for count in [3, 12] {
        for helps in [false, true] {
            let labels = random::labels(2 * count + 2 * count);
            let all: Vec<Label> = labels.iter().collect();
            let mut network = Network::new("table", labels);
            let take = |who: usize, side: usize| all[2 * who + side];
            let give = |who: usize| all[2 * count + who];
            for who in 0..count {
                let (first, second) = if helps && who == 0 { (1, 0) } else { (0, 1) };
                let rounds = [take(who, first), take(who, second), give(who)];
                network.add_component(cycle(&format!("P{who}"), &rounds));
                let other = (who + count - 1) % count;
                let mut fork = LtsBuilder::new(format!("F{who}"));
                fork.edge(0, take(who, 0), 1).edge(1, give(who), 0);
                fork.edge(0, take(other, 1), 2).edge(2, give(other), 0);
                network.add_component(fork.build());
            }
            network.close();
            let answer = minimise::check(&network, &Context::default());
            match answer.verdict {
                Verdict::Holds(proof) => {
                    assert!(helps);
                    let checked =
                        suppose_certify::certificate(&network, &proof, &Context::default());
                    assert!(checked.is_ok(), "{checked:?}");
                }
                Verdict::Violated(run) => {
                    assert!(!helps);
                    assert_eq!(run.steps.len(), count);
                    let replayed = suppose_certify::counterexample(&network, &run);
                    assert!(replayed.is_ok(), "{replayed:?}");
                }
                Verdict::Unknown(reason) => panic!("{reason:?}"),
            }
        }
    }
}

#[test]
fn a_process_that_can_go_on_alone_for_ever_is_no_deadlock() {
    let [a, b] = [Label(1), Label(2)];
    let mut lazy = LtsBuilder::new("");
    lazy.edge(0, a, 1).edge(1, b, 2).edge(2, b, 1);
    let waits = cycle("", &[a, Label(3)]);
    decide(
        &system(&[&lazy.clone().build(), &waits, &waits]),
        "diverges",
    );
    let hopes = cycle("", &[a, b, b, b]);
    decide(&system(&[&lazy.build(), &hopes, &waits]), "counts to three");
}

/// Takes one edge or one vector away, or adds an edge; what is accepted must still be about a system without deadlock.
#[test]
fn damaged_proofs_are_rejected_or_still_right() {
    let mut rejected = 0;
    let shapes = shapes();
    for seed in 0..400u64 {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        let Some(proof) = decide(&network, &format!("seed {seed}")) else {
            continue;
        };
        for _ in 0..10 {
            let damaged = damage(&proof, &network, &mut rng);
            let verdict = suppose_certify::certificate(&network, &damaged, &Context::default());
            rejected += u32::from(verdict.is_err());
        }
        // The same proof about a system that does stop must not be accepted.
        for component in network.processes() {
            let stops = stopping(&network, component);
            if naive::check(&stops, Claim::DeadlockFree) != NaiveVerdict::Holds {
                let verdict = suppose_certify::certificate(&stops, &proof, &Context::default());
                assert!(verdict.is_err(), "seed {seed}, component {component} stops");
            }
        }
    }
    assert!(rejected > 300, "{rejected}");
}

/// The system with a component that stops at once.
fn stopping(network: &Network, component: usize) -> Network {
    let mut other = network.clone();
    let lts = &network.components[component].lts;
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (source, label, target) in lts.all_edges().filter(|e| e.0 != lts.initial()) {
        builder.edge(source, label, target);
    }
    other.components[component].lts = builder.build();
    other
}

fn damage(proof: &Certificate, network: &Network, rng: &mut Rng) -> Certificate {
    let mut damaged = proof.clone();
    let premises = damaged.premises.len();
    let premise = &mut damaged.premises[rng.below(premises)];
    match rng.below(4) {
        0 => {
            let vectors = premise.relation.vectors().into_owned();
            let gone = rng.below(vectors.len().max(1));
            let mut fewer = PackedStates::new(vectors.layout().clone());
            for (number, record) in vectors.iter().enumerate() {
                if number != gone {
                    fewer.push(record);
                }
            }
            premise.relation = fewer.into();
        }
        1 => {
            premise.components.pop();
        }
        2 => {
            damaged.premises.remove(rng.below(premises));
        }
        _ if damaged.assumptions.is_empty() => damaged.premises.clear(),
        _ => {
            let number = rng.below(damaged.assumptions.len());
            let lts = &damaged.assumptions[number].lts;
            let mut builder = LtsBuilder::like(lts);
            builder.extend_alphabet(lts.alphabet().iter().copied());
            let gone = rng.below(lts.transitions().max(1));
            for (at, (source, label, target)) in lts.all_edges().enumerate() {
                if at != gone {
                    builder.edge(source, label, target);
                }
            }
            if rng.percent(50) {
                let label = Label(rng.below(network.labels.len()) as u32);
                builder.edge(0, label, 0);
            }
            damaged.assumptions[number].lts = builder.build();
        }
    }
    damaged
}
