//! Composition against a naive one, and LTSA's ways of counting.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_model::lts::{
    Counts, Equivalence, Label, Labels, Lts, LtsBuilder, Network, Priority, SizeLimits, TooLarge,
    complete, compose, count, minimise,
};
use suppose_testkit::{Rng, Shape, for_each_seed, naive, random, small::Small};

fn whole(components: &[&Lts]) -> Lts {
    compose("w", components, None, &SizeLimits::default())
        .unwrap()
        .lts
}

/// Same size, and bisimilar.
fn check(components: &[&Lts]) {
    let (fast, slow) = (whole(components), naive::compose(components));
    let size = |m: &Lts| (m.states(), m.transitions());
    assert_eq!(size(&fast), size(&slow), "{components:?}");
    assert_eq!(fast.alphabet(), slow.alphabet());
    assert_eq!(fast.error().is_some(), slow.error().is_some());
    assert_eq!(fast.end().is_some(), slow.end().is_some(), "{components:?}");
    assert!(bisimilar(&fast, &slow), "{components:?}");
}

/// Are the initial states strongly bisimilar? Ends and errors are made visible as loops.
fn bisimilar(first: &Lts, second: &Lts) -> bool {
    let shift = first.states() as u32;
    let mut builder = LtsBuilder::new("both");
    builder.states(shift + second.states() as u32);
    for (lts, shift) in [(first, 0), (second, shift)] {
        for (s, l, t) in lts.all_edges() {
            builder.edge(s + shift, l, t + shift);
        }
        for (special, mark) in [(lts.end(), 1000), (lts.error(), 1001)] {
            if let Some(s) = special {
                builder.edge(s + shift, Label(mark), s + shift);
            }
        }
    }
    let both = minimise(
        &builder.build(),
        Equivalence::Strong,
        &SizeLimits::default(),
    )
    .unwrap();
    let class = |s: u32| both.class[s as usize];
    class(first.initial()) == class(second.initial() + shift)
}

#[test]
fn all_small_pairs() {
    let two = Small {
        states: 2,
        labels: 2,
        ..Small::standard()
    };
    let all: Vec<Lts> = two.iter().collect();
    for left in &all {
        for right in &all {
            check(&[left, right]);
        }
    }
}

fn random_components(rng: &mut Rng) -> Vec<Lts> {
    let shape = Shape {
        states: (1, 4),
        end: 40,
        error: 20,
        ..Shape::default()
    };
    let all: Vec<Label> = random::labels(rng.between(1, 4)).iter().collect();
    (0..rng.between(0, 4))
        .map(|_| {
            let alphabet = rng.subset(&all, 60);
            random::lts(rng, "m", &alphabet, &shape)
        })
        .collect()
}

#[test]
fn random_lists() {
    for_each_seed(3000, |rng| {
        let components = random_components(rng);
        check(&components.iter().collect::<Vec<_>>());
    });
}

#[test]
fn priority_keeps_what_a_naive_step_keeps() {
    for_each_seed(2000, |rng| {
        let shape = Shape {
            priority: 100,
            properties: (0, 0),
            end: 0,
            ..Shape::default()
        };
        let network = random::network(rng, &shape);
        let components: Vec<&Lts> = network.components.iter().map(|c| &c.lts).collect();
        let priority = network.priority.as_ref();
        let fast = compose("w", &components, priority, &SizeLimits::default()).unwrap();
        let mut seen = std::collections::HashSet::from([naive::initial(&network)]);
        let mut open = vec![naive::initial(&network)];
        let mut edges = std::collections::HashSet::new();
        while let Some(vector) = open.pop() {
            for (label, next) in naive::steps(&network, &vector) {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
                edges.insert((vector.clone(), label, next));
            }
        }
        let size = (fast.lts.states(), fast.lts.transitions());
        assert_eq!(size, (seen.len(), edges.len()));
    });
}

#[test]
fn priority_of_tau() {
    let (a, b) = (Label(1), Label(2));
    let mut builder = LtsBuilder::new("m");
    builder.edge(0, a, 1).edge(0, b, 2).edge(0, Label::TAU, 3);
    let m = builder.build();
    let labels_left = |labels: Vec<Label>, low| {
        let priority = Priority { labels, low };
        let whole = compose("w", &[&m], Some(&priority), &SizeLimits::default()).unwrap();
        let edges: Vec<u32> = whole.lts.edges(0).iter().map(|e| e.label.0).collect();
        edges
    };
    assert_eq!(labels_left(vec![a], false), [1]);
    assert_eq!(labels_left(vec![a], true), [0, 2]);
    assert_eq!(labels_left(vec![a, b], true), [0]);
    assert_eq!(labels_left(vec![], false), [0, 1, 2]);
    assert_eq!(labels_left(vec![], true), [0, 1, 2]);
    assert_eq!(labels_left(vec![Label(9)], false), [0, 1, 2]);
}

#[test]
fn numbers_are_breadth_first() {
    for_each_seed(200, |rng| {
        let components = random_components(rng);
        let lts = whole(&components.iter().collect::<Vec<_>>());
        let order = suppose_model::lts::reachable_states(&lts);
        assert_eq!(order.len(), lts.states());
        let mut depth = vec![usize::MAX; lts.states()];
        depth[0] = 0;
        for s in order {
            for e in lts.edges(s) {
                depth[e.target as usize] = depth[e.target as usize].min(depth[s as usize] + 1);
            }
        }
        assert!(depth.is_sorted(), "{depth:?}");
    });
}

#[test]
fn the_end_of_the_whole_is_one_state() {
    let (a, b) = (Label(1), Label(2));
    let ending = |name: &str, label| {
        let mut builder = LtsBuilder::new(name);
        builder.edge(0, label, 1).edge(0, label, 2).end(1);
        builder.edge(2, label, 1);
        builder.build()
    };
    let both = whole(&[&ending("P", a), &ending("Q", b)]);
    let end = both.end().unwrap();
    assert!(both.edges(end).is_empty());
    // A component that never ends and has a label of its own keeps the whole from ending.
    let mut builder = LtsBuilder::new("R");
    builder.extend_alphabet([Label(3)]);
    let stuck = builder.build();
    assert_eq!(whole(&[&ending("P", a), &stuck]).end(), None);
    let mut builder = LtsBuilder::new("S");
    builder.edge(0, a, 0);
    assert!(whole(&[&ending("P", a), &builder.build()]).end().is_some());
    assert_eq!(whole(&[]).end(), None);
}

#[test]
fn limits_are_errors() {
    let mut builder = LtsBuilder::new("m");
    for s in 0..9 {
        builder.edge(s, Label(1), s + 1);
    }
    let m = builder.build();
    let with = |states, transitions| {
        let limits = SizeLimits {
            states,
            transitions,
        };
        compose("w", &[&m, &m], None, &limits).map(|c| c.counts.states)
    };
    assert_eq!(with(9, 100), Err(TooLarge::States(9)));
    assert_eq!(with(10, 8), Err(TooLarge::Transitions(8)));
    assert_eq!(with(10, 9), Ok(10));
}

#[test]
fn a_completed_property_allows_the_same() {
    for_each_seed(500, |rng| {
        let all: Vec<Label> = random::labels(3).iter().collect();
        let property = random::property(rng, "P", &all, &Shape::default());
        let completed = complete(&property);
        let error = completed.error().unwrap();
        for s in 0..property.states() as u32 {
            for label in &all {
                let edges = completed.successors(s, *label);
                assert_eq!(edges.len(), 1);
                let allowed = property.successors(s, *label);
                assert_eq!(edges[0].target == error, allowed.is_empty());
            }
        }
    });
}

/// Counting a network is counting what was put in.
#[test]
fn counts_are_those_of_the_parts_as_written() {
    for_each_seed(1000, |rng| {
        let mut components = random_components(rng);
        let labels = random::labels(4);
        let all: Vec<Label> = labels.iter().collect();
        let mut network = Network::new("n", labels);
        for component in &components {
            network.add_component(component.clone());
        }
        for _ in 0..rng.below(3) {
            let alphabet = rng.subset(&all, 50);
            let property = random::property(rng, "P", &alphabet, &Shape::default());
            network.add_property(&property, None);
            components.push(complete(&property));
        }
        network.close();
        let parts: Vec<&Lts> = components.iter().collect();
        let plain = compose("w", &parts, None, &SizeLimits::default()).unwrap();
        assert_eq!(count(&network, &SizeLimits::default()), Ok(plain.counts));
        let errors = usize::from(plain.lts.error().is_some());
        assert_eq!(plain.counts.states + errors, plain.lts.states());
        assert!(plain.counts.transitions >= plain.lts.transitions());
    });
}

#[test]
fn two_tau_loops_count_twice() {
    let mut builder = LtsBuilder::new("m");
    builder.edge(0, Label::TAU, 0);
    let m = builder.build();
    let both = compose("w", &[&m, &m], None, &SizeLimits::default()).unwrap();
    let (states, transitions) = (1, 2);
    assert_eq!(
        both.counts,
        Counts {
            states,
            transitions
        }
    );
    assert_eq!(both.lts.transitions(), 1);
}

/// The dining philosophers of Magee and Kramer's book; the even ones take the left fork first.
fn philosophers(count: u32) -> Vec<Lts> {
    let mut labels = Labels::new();
    let mut parts = Vec::new();
    for i in 0..count {
        let mut steps = ["sitdown", "right.get", "left.get", "eat"].to_vec();
        steps.extend(["left.put", "right.put", "arise"]);
        if i % 2 == 0 {
            steps.swap(1, 2);
        }
        let mut builder = LtsBuilder::new("PHIL");
        for (at, step) in (0..).zip(&steps) {
            let label = labels.intern(&format!("phil.{i}.{step}"));
            builder.edge(at, label, (at + 1) % 7);
        }
        parts.push(builder.build());
        let mut builder = LtsBuilder::new("FORK");
        for hand in [
            format!("phil.{i}.left"),
            format!("phil.{}.right", (i + count - 1) % count),
        ] {
            builder.edge(0, labels.intern(&format!("{hand}.get")), 1);
            builder.edge(1, labels.intern(&format!("{hand}.put")), 0);
        }
        parts.push(builder.build());
    }
    parts
}

/// The states are those that LTSA reports; the transitions were counted here.
#[test]
fn seven_philosophers_have_the_published_size() {
    let parts = philosophers(7);
    let parts: Vec<&Lts> = parts.iter().collect();
    let whole = compose("DINERS", &parts, None, &SizeLimits::default()).unwrap();
    let (states, transitions) = (233_749, 1_432_743);
    let expected = Counts {
        states,
        transitions,
    };
    assert_eq!(whole.counts, expected);
    let stuck = |s: u32| whole.lts.edges(s).is_empty();
    assert!(!(0..whole.lts.states() as u32).any(stuck));
}
