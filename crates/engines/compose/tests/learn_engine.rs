//! The learning engine against the naive checker, with its evidence checked.

use suppose_compose::learn::{Algorithm, LearningOptions, check};
use suppose_control::Context;
use suppose_model::lts::{Labels, Lts, LtsBuilder, Network, Priority};
use suppose_model::{Answer, Claim, Reason, Verdict};
use suppose_testkit::naive::{self, NaiveVerdict};
use suppose_testkit::small::Small;
use suppose_testkit::{Rng, Shape, for_each_seed, random};

fn all_options() -> [LearningOptions; 4] {
    let make = |algorithm, refine_alphabet| LearningOptions {
        algorithm,
        refine_alphabet,
    };
    [
        make(Algorithm::LStar, false),
        make(Algorithm::LStar, true),
        make(Algorithm::Ttt, false),
        make(Algorithm::Ttt, true),
    ]
}

/// Evidence is accepted and the verdict is the naive checker's.
fn verify(network: &Network, property: usize, answer: &Answer) -> bool {
    let claim = Claim::Property(property);
    let expected = naive::check(network, claim);
    assert_eq!(answer.claim, claim);
    match &answer.verdict {
        Verdict::Holds(certificate) => {
            assert_eq!(expected, NaiveVerdict::Holds);
            assert_eq!(certificate.claim, claim);
            suppose_certify::certificate(network, certificate, &Context::default())
                .expect("accepted");
            assert_eq!(certificate.premises.len(), answer.run.groups.len());
            true
        }
        Verdict::Violated(counterexample) => {
            assert_ne!(expected, NaiveVerdict::Holds);
            assert_eq!(counterexample.claim, claim);
            suppose_certify::counterexample(network, counterexample).expect("replays");
            false
        }
        Verdict::Unknown(reason) => panic!("undecided: {reason:?}"),
    }
}

/// Some components in some groups in some order; now and then one is left out.
fn random_groups(rng: &mut Rng, network: &Network) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..network.components.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
    let mut groups = vec![Vec::new(); rng.between(1, 4)];
    let count = groups.len();
    for component in order {
        if !rng.percent(10) {
            groups[rng.below(count)].push(component);
        }
    }
    groups
}

#[derive(Default)]
struct Tally {
    holds: u64,
    violated: u64,
    several_rounds: u64,
    deep: u64,
}

fn check_random(rng: &mut Rng, shape: &Shape, tally: &mut Tally) {
    let network = random::network(rng, shape);
    let groups = random_groups(rng, &network);
    for property in 0..network.properties.len() {
        for options in all_options() {
            let cx = Context::default();
            let answer = check(&network, property, &groups, &options, &cx);
            match verify(&network, property, &answer) {
                true => tally.holds += 1,
                false => tally.violated += 1,
            }
            tally.several_rounds += u64::from(answer.run.rounds.len() > 2);
            tally.deep += u64::from(answer.run.groups.len() > 2);
        }
    }
}

#[test]
fn agrees_with_the_naive_checker() {
    let mut tally = Tally::default();
    let shapes = [
        Shape::default(),
        Shape::plain(),
        Shape {
            components: (2, 4),
            states: (2, 4),
            labels: (2, 6),
            edges_per_state: 300,
            allowed: 90,
            shared: 45,
            error: 10,
            ..Shape::default()
        },
    ];
    for_each_seed(400, |rng| {
        for shape in &shapes {
            check_random(rng, shape, &mut tally);
        }
    });
    // A generator that made one kind of case only would test little.
    if std::env::var_os("SUPPOSE_SEED").is_none() && std::env::var_os("SUPPOSE_CASES").is_none() {
        assert!(tally.holds > 500 && tally.violated > 500);
        assert!(tally.several_rounds > 200 && tally.deep > 500);
    }
}

/// The channel of Section 2 of the paper.
fn channel() -> Network {
    let mut labels = Labels::new();
    let [input, send, ack, output] = ["input", "send", "ack", "output"].map(|l| labels.intern(l));
    let cycle = |name: &str, labels: &[suppose_model::lts::Label]| -> Lts {
        let mut builder = LtsBuilder::new(name);
        let count = labels.len() as u32;
        for (at, label) in labels.iter().enumerate() {
            builder.edge(at as u32, *label, (at as u32 + 1) % count);
        }
        builder.build()
    };
    let mut network = Network::new("channel", labels);
    network.add_component(cycle("Input", &[input, send, ack]));
    network.add_component(cycle("Output", &[send, output, ack]));
    network.add_property(&cycle("Order", &[input, output]), None);
    network.close();
    network
}

/// The paper reports four states for L* here: that is the weakest assumption without its rejecting
/// state. With shortest counterexamples a smaller one is conjectured before, and it is enough.
#[test]
fn the_channel_needs_two_states() {
    let network = channel();
    let groups = [vec![0], vec![1]];
    for options in all_options() {
        let answer = check(&network, 0, &groups, &options, &Context::default());
        assert!(verify(&network, 0, &answer));
        let Verdict::Holds(certificate) = &answer.verdict else {
            unreachable!("verified");
        };
        assert_eq!(answer.run.assumption_peak, 2);
        assert_eq!(certificate.assumptions[0].lts.states(), 2);
        let conjectures: Vec<u64> = answer
            .run
            .rounds
            .iter()
            .map(|r| r.assumption_states)
            .collect();
        match options.refine_alphabet {
            true => assert!(conjectures.len() > 2),
            false => assert_eq!(conjectures, [1, 2]),
        }
    }
}

#[test]
fn one_group_is_the_whole_system() {
    let network = channel();
    let answer = check(
        &network,
        0,
        &[],
        &LearningOptions::default(),
        &Context::default(),
    );
    assert!(verify(&network, 0, &answer));
    assert!(answer.run.rounds.is_empty());
}

fn reason(network: &Network, property: usize, cx: &Context) -> Reason {
    let groups = [vec![0], vec![1]];
    match check(network, property, &groups, &LearningOptions::default(), cx).verdict {
        Verdict::Unknown(reason) => reason,
        other => panic!("decided: {other:?}"),
    }
}

#[test]
fn what_cannot_be_decided_is_refused() {
    let mut network = channel();
    let cx = Context::default();
    assert!(matches!(reason(&network, 7, &cx), Reason::Unsupported(_)));
    network.priority = Some(Priority {
        labels: Vec::new(),
        low: true,
    });
    assert!(matches!(reason(&network, 0, &cx), Reason::Unsupported(_)));
}

#[test]
fn limits_end_the_run() {
    let network = channel();
    let mut cx = Context::default();
    cx.max_iterations = 1;
    assert_eq!(reason(&network, 0, &cx), Reason::Iterations);
    let cx = Context::default().with_deadline(std::time::Instant::now());
    assert_eq!(reason(&network, 0, &cx), Reason::Timeout);
}

/// All pairs of components with two states and two labels; the properties and the options in turn.
#[test]
fn agrees_with_the_naive_checker_on_all_small_systems() {
    let shape = Small {
        states: 2,
        ..Small::standard()
    };
    let components: Vec<Lts> = shape.iter().collect();
    let mut properties = Small::properties(2, 2).iter().collect::<Vec<_>>();
    assert!(components.len() > 100 && properties.len() > 20);
    let options = all_options();
    let mut turn = 0;
    for left in &components {
        for right in &components {
            properties.rotate_left(3);
            let mut network = Network::new("small", random::labels(2));
            network.add_component(left.clone());
            network.add_component(right.clone());
            for property in &properties[..3] {
                network.add_property(property, None);
            }
            network.close();
            for property in 0..3 {
                turn += 1;
                let options = &options[turn % options.len()];
                let groups = [vec![0], vec![1]];
                let answer = check(&network, property, &groups, options, &Context::default());
                verify(&network, property, &answer);
            }
        }
    }
}
