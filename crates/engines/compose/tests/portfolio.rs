//! All engines in turns: the verdicts of the naive checker and of the single engines, with evidence that is accepted.
//!
//! The long mode is `cargo test --release -p suppose-compose --test portfolio -- --ignored --nocapture`; it goes on from
//! the seed in `SUPPOSE_SEED` for `SUPPOSE_MODELS` models.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use suppose_compose::decompose::Strategy;
use suppose_compose::portfolio::{Engine, Portfolio, Settings, Split};
use suppose_control::{Context, Unsupervised};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Verdict};
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::{Rng, Shape, random};

/// What is said of each claim, in the order of the claims.
fn answers(network: &Network, claims: &[Claim], settings: &Settings) -> Vec<Answer> {
    let portfolio = Portfolio {
        network,
        settings,
        supervisor: &Unsupervised,
    };
    let mut answers: Vec<Answer> = Vec::new();
    portfolio.decide(claims, &mut |replies| {
        answers.extend(replies.into_iter().map(|r| r.answer));
    });
    answers.sort_by_key(|a| claims.iter().position(|c| *c == a.claim));
    let told: Vec<Claim> = answers.iter().map(|a| a.claim).collect();
    assert_eq!(told, claims, "every claim is answered once");
    answers
}

/// Does it hold? The evidence is accepted either way.
fn holds(network: &Network, answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            suppose_certify::certificate(network, certificate, &Context::default())
                .expect("accepted");
            true
        }
        Verdict::Violated(run) => {
            suppose_certify::counterexample(network, run).expect("replays");
            false
        }
        Verdict::Unknown(reason) => panic!("no verdict: {reason:?}"),
    }
}

fn all_claims(network: &Network) -> Vec<Claim> {
    let properties = 0..network.properties.len();
    let properties = properties.map(Claim::Property);
    properties.chain([Claim::DeadlockFree]).collect()
}

#[test]
fn in_turns_they_say_what_the_naive_checker_says() {
    for seed in 0..300 {
        let network = random::network(&mut Rng::new(seed), &Shape::default());
        let claims = all_claims(&network);
        for answer in answers(&network, &claims, &Settings::default()) {
            let expected = naive::check(&network, answer.claim) == NaiveVerdict::Holds;
            assert_eq!(
                holds(&network, &answer),
                expected,
                "seed {seed}, {:?}",
                answer.claim
            );
        }
    }
}

/// Compositions of some thousand states, too many for the first look: the engines on parts get their sprints and
/// rounds. How many claims were decided by each engine.
fn random_turns(first: u64, models: u64) -> BTreeMap<String, u64> {
    let shape = Shape {
        components: (7, 8),
        states: (4, 4),
        labels: (20, 26),
        properties: (1, 2),
        shared: 12,
        allowed: 97,
        tau: 0,
        end: 0,
        error: 0,
        priority: 0,
        ..Shape::default()
    };
    let whole = Settings {
        engine: Engine::Monolithic,
        ..Settings::default()
    };
    let mut deciders = BTreeMap::new();
    for seed in first..first + models {
        let network = random::network(&mut Rng::new(seed), &shape);
        let claims = all_claims(&network);
        let expected = answers(&network, &claims, &whole);
        for alone in [false, true] {
            let found = match alone {
                false => answers(&network, &claims, &Settings::default()),
                true => claims
                    .iter()
                    .flat_map(|c| answers(&network, &[*c], &refining()))
                    .collect(),
            };
            for (one, other) in expected.iter().zip(&found) {
                *deciders.entry(other.engine.clone()).or_insert(0) += 1;
                let (one, other) = (holds(&network, one), holds(&network, other));
                assert_eq!(one, other, "seed {seed}, alone {alone}");
            }
        }
    }
    deciders
}

/// As the command line sets them.
fn refining() -> Settings {
    let mut settings = Settings::default();
    settings.agar.refine_alphabet = true;
    settings.learn.refine_alphabet = true;
    settings
}

#[test]
fn in_turns_they_agree_with_the_whole_composition() {
    let deciders = random_turns(0, 20);
    assert!(deciders.len() > 2, "{deciders:?}");
}

#[test]
#[ignore = "the long mode: minutes to hours"]
fn in_turns_they_agree_with_the_whole_composition_on_many() {
    let number = |name: &str, otherwise: u64| {
        let value = std::env::var(name).ok().and_then(|v| v.parse().ok());
        value.unwrap_or(otherwise)
    };
    let first = number("SUPPOSE_SEED", 1_000_000);
    let models = number("SUPPOSE_MODELS", 20_000);
    println!("seeds from {first}, {models} models");
    println!("{:?}", random_turns(first, models));
}

fn example(file: &str, n: i64) -> Network {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/fsp");
    let path = format!("{folder}/{file}");
    let text = std::fs::read_to_string(&path).expect("an example");
    let options = suppose_frontends::LoadOptions {
        system: Some("SYS".to_owned()),
        constants: vec![("N".to_owned(), n)],
        ..suppose_frontends::LoadOptions::default()
    };
    let input = suppose_frontends::Input::new(path, text);
    let loaded = suppose_frontends::load(vec![input], &options);
    loaded.expect("reads").network
}

/// Large enough for several rounds of turns, so that forecasts are made and acted upon.
#[test]
fn in_turns_they_decide_what_takes_longer() {
    for (file, n) in [
        ("gas-station/gas-station.lts", 6),
        ("client-server/client-server.lts", 8),
        ("readers-writers/readers-writers.lts", 7),
        ("pipeline/pipeline.lts", 12),
    ] {
        let network = example(file, n);
        let claims = all_claims(&network);
        let whole = Settings {
            engine: Engine::Monolithic,
            ..Settings::default()
        };
        let expected = answers(&network, &claims, &whole);
        let all = answers(&network, &claims, &Settings::default());
        let alone = claims
            .iter()
            .flat_map(|c| answers(&network, &[*c], &Settings::default()));
        for answer in all.into_iter().chain(alone) {
            let same = expected.iter().find(|e| e.claim == answer.claim).unwrap();
            let (one, other) = (holds(&network, same), holds(&network, &answer));
            assert_eq!(one, other, "{file}, {:?}", answer.claim);
        }
    }
}

/// Alone, each box lets the arbiter behind it do anything in any order: assumptions about that are larger than the
/// system of 432 states, which a chain of all seven components is not worth.
#[test]
fn a_chain_with_assumptions_larger_than_the_system_is_shortened() {
    let network = example("mer/mer.lts", 2);
    for engine in [Engine::Agar, Engine::Learn] {
        let settings = Settings {
            engine,
            split: Split::By(Strategy::Chain),
            ..Settings::default()
        };
        for answer in answers(&network, &[Claim::Property(0)], &settings) {
            assert_eq!(answer.engine, engine.name());
            assert!(holds(&network, &answer));
            assert!((2..7).contains(&answer.run.groups.len()), "{engine:?}");
        }
    }
}
