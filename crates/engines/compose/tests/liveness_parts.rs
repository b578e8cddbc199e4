//! Liveness in parts against the whole composition: the same verdict, with evidence that the independent checker accepts.
//!
//! The long mode is `cargo test --release -p suppose-compose --test liveness_parts -- --ignored --nocapture`, for `SUPPOSE_MODELS` models
//! from the seed in `SUPPOSE_SEED` on.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use suppose_compose::{agar, bounded, decompose, liveness, minimise};
use suppose_control::Context;
use suppose_model::lts::{Fairness, Network};
use suppose_model::{Answer, Reason, Verdict};
use suppose_testkit::{Rng, Shape, claims, random};

/// What an answer says, if it says something; its evidence is checked.
fn verdict(network: &Network, answer: &Answer, what: &str) -> Option<bool> {
    match &answer.verdict {
        Verdict::Holds(proof) => {
            let accepted = suppose_certify::certificate(network, proof, &Context::default());
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            Some(true)
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, run);
            assert!(accepted.is_ok(), "{what}: {accepted:?} {run:?}");
            Some(false)
        }
        Verdict::Unknown(Reason::Unsupported(_)) => None,
        Verdict::Unknown(reason) => panic!("{what}: {reason:?}"),
    }
}

fn shapes() -> [Shape; 3] {
    let shape = Shape {
        properties: (0, 0),
        ..Shape::default()
    };
    let loose = Shape {
        components: (3, 6),
        labels: (4, 12),
        shared: 35,
        tau: 25,
        ..shape.clone()
    };
    let plain = Shape {
        components: (3, 4),
        labels: (3, 6),
        tau: 0,
        end: 0,
        edges_per_state: 250,
        ..shape.clone()
    };
    [shape, loose, plain]
}

/// A network and a claim about it.
fn model(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut network = random::network(&mut rng, &shapes()[(seed % 3) as usize]);
    let fairness = match seed % 2 {
        0 => Fairness::FairChoice,
        _ => Fairness::None,
    };
    let mut claim = loop {
        let size = rng.between(1, 6);
        let claim = claims::random(&mut rng, &network, fairness, size);
        if claim.ignores_foreign_steps() {
            break claim;
        }
    };
    claim.name = "L".to_owned();
    network.liveness.push(claim);
    // Labels that only the claim has may happen.
    network.close();
    network
}

/// Verdicts of both kinds, about fair choice and all runs, and proofs that have replaced something.
#[derive(Debug, Default)]
struct Counted {
    holds: [u32; 2],
    violated: [u32; 2],
    in_parts: [u32; 2],
}

fn compare(seed: u64, counted: &mut Counted) {
    let network = model(seed);
    let what = format!("seed {seed}");
    let whole = liveness::check(&network, 0, &Context::default());
    let parts = minimise::check_liveness(&network, 0, &Context::default());
    let expected = verdict(&network, &whole, &what).unwrap();
    let found = verdict(&network, &parts, &what).unwrap();
    assert_eq!(expected, found, "{what}");
    let kind = (seed % 2) as usize;
    match found {
        true => counted.holds[kind] += 1,
        false => counted.violated[kind] += 1,
    }
    if let Verdict::Holds(proof) = &parts.verdict {
        counted.in_parts[kind] += u32::from(!proof.premises.is_empty());
    }
}

#[test]
fn random_systems_get_the_verdict_of_the_whole() {
    let mut counted = Counted::default();
    for seed in 0..600 {
        compare(seed, &mut counted);
    }
    println!("{counted:?}");
    let enough = |counts: [u32; 2]| counts.iter().all(|c| *c > 50);
    assert!(enough(counted.holds) && enough(counted.violated) && enough(counted.in_parts));
}

/// By the safety engines: they may find no bound, but what they say is true.
#[test]
fn bounds_are_found_only_where_the_claim_holds() {
    let mut counted = Counted::default();
    let mut open = [0; 2];
    for seed in 0..200 {
        let network = model(seed);
        let what = format!("seed {seed}");
        let whole = liveness::check(&network, 0, &Context::default());
        let expected = verdict(&network, &whole, &what).unwrap();
        let kind = (seed % 2) as usize;
        let answer = by_counting(&network);
        match verdict(&network, &answer, &what) {
            Some(found) => assert_eq!(expected, found, "{what}"),
            None => open[kind] += 1,
        }
        if let Verdict::Holds(proof) = &answer.verdict {
            counted.holds[kind] += 1;
            counted.in_parts[kind] += u32::from(!proof.premises.is_empty());
        }
    }
    println!("{counted:?}, open {open:?}");
    assert!(counted.in_parts.iter().all(|c| *c > 5), "{counted:?}");
}

/// Without a look at the whole.
fn by_counting(network: &Network) -> Answer {
    let safety = |asked: &Network, property, cx: &Context| {
        let groups = decompose::propose(asked, property, decompose::Strategy::Interface);
        agar::check(asked, property, &groups, &agar::AgarOptions::default(), cx)
    };
    let cx = Context::default();
    bounded::without_the_whole(network, 0, "agar", &safety, &cx)
}

#[test]
#[ignore = "takes minutes"]
fn many_random_systems_get_the_verdict_of_the_whole() {
    let number = |name: &str, otherwise: u64| {
        let given = std::env::var(name).ok();
        given.and_then(|v| v.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (
        number("SUPPOSE_SEED", 1_000_000),
        number("SUPPOSE_MODELS", 20_000),
    );
    let mut counted = Counted::default();
    for seed in first..first + count {
        compare(seed, &mut counted);
    }
    println!("{counted:?}");
}
