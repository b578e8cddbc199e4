//! Trace inclusion against determinisation of both sides.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_model::lts::{
    Inclusion, Label, Lts, LtsBuilder, SizeLimits, TooLarge, includes, includes_over,
};
use suppose_testkit::{Shape, for_each_seed, naive, random, small::Small};

fn check(left: &Lts, right: &Lts, alphabet: &[Label]) {
    let result = includes_over(left, right, alphabet, &SizeLimits::default()).unwrap();
    match (naive::inclusion(left, right, alphabet), &result) {
        (None, Inclusion::Included) => {}
        (Some(shortest), Inclusion::Fails(trace)) => {
            assert_eq!(trace.len(), shortest, "{left:?} {right:?}");
            let has = |lts: &Lts| naive::traces(lts, alphabet, shortest).contains(trace);
            assert!(has(left) && !has(right), "{trace:?} {left:?} {right:?}");
        }
        (naive, _) => panic!("{naive:?}, but {result:?} for {left:?} in {right:?}"),
    }
}

#[test]
fn all_small_pairs() {
    let two = Small {
        states: 2,
        ..Small::standard()
    };
    let all: Vec<Lts> = two.iter().collect();
    for left in &all {
        for right in &all {
            check(left, right, &[Label(1), Label(2)]);
            check(left, right, &[Label(2)]);
        }
    }
}

#[test]
fn random_pairs() {
    for_each_seed(4000, |rng| {
        let shape = Shape {
            states: (1, 5),
            tau: 20,
            edges_per_state: 300,
            ..Shape::default()
        };
        let all: Vec<Label> = random::labels(3).iter().collect();
        let left = random::lts(rng, "l", &all, &shape);
        let right = random::lts(rng, "r", &all, &shape);
        check(&left, &right, &rng.subset(&all, 70));
        check(&left, &left, &all);
    });
}

#[test]
fn labels_the_right_side_does_not_have() {
    let (a, b) = (Label(1), Label(2));
    let mut builder = LtsBuilder::new("l");
    builder.edge(0, b, 1).edge(1, a, 0);
    let left = builder.build();
    let mut builder = LtsBuilder::new("r");
    builder.edge(0, a, 0);
    let right = builder.build();
    let limits = SizeLimits::default();
    assert_eq!(includes(&left, &right, &limits), Ok(Inclusion::Included));
    let over_both = includes_over(&left, &right, &[a, b], &limits);
    assert_eq!(over_both, Ok(Inclusion::Fails(vec![b])));
}

#[test]
fn limits_are_errors() {
    let mut builder = LtsBuilder::new("m");
    for s in 0..50 {
        builder.edge(s, Label(1), s + 1);
    }
    let m = builder.build();
    let limits = SizeLimits {
        states: 10,
        transitions: 1000,
    };
    assert_eq!(includes(&m, &m, &limits), Err(TooLarge::States(10)));
}
