//! The quotient engine against the definitions it implements, and against the naive checker.

use suppose_compose::quotient::{self, Mode, Options, Order, Schedule};
use suppose_model::lts::{Label, Lts, Network};
use suppose_model::{Answer, Claim, Verdict};
use suppose_refine::Context;
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::small::Small;
use suppose_testkit::{Rng, Shape, random};

/// Does the claim hold, by an answer whose evidence was accepted?
fn certified(network: &Network, answer: &Answer, what: &str) -> bool {
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            let accepted = suppose_certify::certificate(network, certificate, &mut || false);
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            true
        }
        Verdict::Violated(run) => {
            let accepted = suppose_certify::counterexample(network, run);
            assert!(accepted.is_ok(), "{what}: {accepted:?}");
            false
        }
        Verdict::Unknown(reason) => panic!("{what}: no verdict, {reason:?}"),
    }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for mode in [Mode::Minimal, Mode::Decide, Mode::Threshold(0.5)] {
        for schedule in [Schedule::default(), Schedule::PAPER] {
            for exact in [false, true] {
                for coarsen in [false, true] {
                    for slack in [0, 1000] {
                        all.push(Options {
                            mode,
                            schedule,
                            exact,
                            coarsen,
                            slack,
                            ..Options::default()
                        });
                    }
                }
            }
        }
    }
    all
}

/// The network with the process replaced by its assumption, and by its quotient.
fn replaced(network: &Network, process: &[usize], by: &Lts) -> Network {
    let mut other = network.clone();
    for (number, component) in process.iter().enumerate() {
        other.components[*component].lts = match number {
            0 => by.clone(),
            _ => suppose_model::lts::LtsBuilder::new("nothing").build(),
        };
    }
    other
}

fn check_one(network: &Network, process: &[usize], options: &Options, what: &str) {
    let cx = Context::default();
    for property in 0..network.properties.len() {
        let what = format!("{what}, property {property}, process {process:?}, {options:?}");
        let claim = Claim::Property(property);
        let holds = naive::check(network, claim) == NaiveVerdict::Holds;
        let answer = quotient::check(network, property, process, options, &cx);
        assert_eq!(certified(network, &answer, &what), holds, "{what}");
        let found = quotient::requirement(network, property, process, options, &cx).unwrap();
        assert!(found.decided.is_none_or(|d| d == holds), "{what}");
        if process.is_empty() {
            continue;
        }
        for by in [&found.assumption.lts, &found.quotient] {
            let replaced = naive::check(&replaced(network, process, by), claim);
            assert_eq!(replaced == NaiveVerdict::Holds, holds, "{what}: inverse");
        }
    }
}

fn shapes() -> [Shape; 3] {
    let shape = Shape::default();
    [
        shape.clone(),
        Shape {
            labels: (3, 8),
            shared: 66,
            allowed: 85,
            tau: 8,
            ..shape.clone()
        },
        Shape {
            components: (2, 3),
            states: (3, 8),
            labels: (2, 4),
            allowed: 90,
            edges_per_state: 160,
            error: 20,
            ..shape
        },
    ]
}

fn random_networks(first: u64, count: u64) {
    let shapes = shapes();
    let options = all_options();
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let network = random::network(&mut rng, &shapes[seed as usize % shapes.len()]);
        let all: Vec<usize> = (0..network.components.len()).collect();
        let process = match seed % 4 {
            0 => rng.subset(&all, 40),
            _ => vec![rng.below(all.len())],
        };
        let number = seed as usize % options.len();
        check_one(
            &network,
            &process,
            &options[number],
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn verdicts_assumptions_and_evidence_are_right_on_random_networks() {
    random_networks(1, 6000);
}
