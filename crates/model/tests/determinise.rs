//! Subset construction keeps the traces.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_model::lts::{Label, Lts, LtsBuilder, SizeLimits, TooLarge, determinise};
use suppose_testkit::{Shape, for_each_seed, naive, random, small::Small};

fn dfa(lts: &Lts) -> Lts {
    let result = determinise(lts, &SizeLimits::default()).unwrap();
    assert_eq!(result.sizes.len(), result.lts.states());
    assert!(result.lts.is_deterministic());
    result.lts
}

/// Neither has a trace that the other has not.
fn same_traces(lts: &Lts, other: &Lts) {
    let alphabet = lts.alphabet();
    assert_eq!(naive::inclusion(lts, other, alphabet), None, "{lts:?}");
    assert_eq!(naive::inclusion(other, lts, alphabet), None, "{lts:?}");
}

#[test]
fn all_small_systems() {
    for lts in Small::standard().iter().step_by(5) {
        same_traces(&lts, &dfa(&lts));
    }
    let with_tau = Small {
        labels: 1,
        tau: true,
        ..Small::standard()
    };
    for lts in with_tau.iter().step_by(5) {
        same_traces(&lts, &dfa(&lts));
    }
}

#[test]
fn random_systems() {
    for_each_seed(2000, |rng| {
        let shape = Shape {
            states: (1, 9),
            tau: 25,
            end: 30,
            ..Shape::default()
        };
        let alphabet: Vec<Label> = random::labels(rng.between(1, 3)).iter().collect();
        let lts = random::lts(rng, "m", &alphabet, &shape);
        same_traces(&lts, &dfa(&lts));
    });
}

/// The traces that can lead to the error state lead there, and no others do.
#[test]
fn errors_win() {
    for_each_seed(1000, |rng| {
        let shape = Shape {
            states: (2, 7),
            error: 100,
            end: 0,
            ..Shape::default()
        };
        let alphabet: Vec<Label> = random::labels(2).iter().collect();
        let lts = random::lts(rng, "m", &alphabet, &shape);
        let (fast, length) = (dfa(&lts), 6);
        let bad = Label(99);
        // Make the error visible: it, and only it, can do `bad`.
        let visible = |lts: &Lts| {
            let mut builder = LtsBuilder::like(lts).without_error();
            for (s, l, t) in lts.all_edges() {
                builder.edge(s, l, t);
            }
            if let Some(error) = lts.error() {
                builder.edge(error, bad, error);
            }
            builder.build()
        };
        let over: Vec<Label> = alphabet.iter().copied().chain([bad]).collect();
        let bad_traces = |lts: &Lts| {
            let all = naive::traces(&visible(lts), &over, length);
            let mut minimal: Vec<Vec<Label>> = all
                .into_iter()
                .filter(|t| {
                    t.iter()
                        .position(|l| *l == bad)
                        .is_some_and(|at| at + 1 == t.len())
                })
                .collect();
            // Only those of which no beginning leads to the error already.
            let every = minimal.clone();
            let earlier = |t: &Vec<Label>| {
                (0..t.len() - 1).any(|n| {
                    let mut beginning = t[..n].to_vec();
                    beginning.push(bad);
                    every.contains(&beginning)
                })
            };
            minimal.retain(|t| !earlier(t));
            minimal
        };
        assert_eq!(bad_traces(&lts), bad_traces(&fast), "{lts:?}");
    });
}

#[test]
fn the_end_survives_silence() {
    let a = Label(1);
    let mut builder = LtsBuilder::new("m");
    builder.edge(0, a, 1).edge(1, Label::TAU, 2).edge(0, a, 3);
    builder.edge(3, Label::TAU, 2).end(2);
    let ends = dfa(&builder.clone().build());
    assert_eq!((ends.states(), ends.end()), (2, Some(1)));
    builder.edge(0, a, 4);
    assert_eq!(dfa(&builder.build()).end(), None);
}

#[test]
fn limits_are_errors() {
    // "The tenth label from the end is a" needs 2^10 sets.
    let (a, b) = (Label(1), Label(2));
    let mut builder = LtsBuilder::new("m");
    builder.edge(0, a, 0).edge(0, b, 0).edge(0, a, 1);
    for s in 1..10 {
        builder.edge(s, a, s + 1).edge(s, b, s + 1);
    }
    let m = builder.build();
    let limits = SizeLimits {
        states: 1000,
        ..SizeLimits::default()
    };
    assert_eq!(
        determinise(&m, &limits).map(|d| d.lts.states()),
        Err(TooLarge::States(1000))
    );
    assert_eq!(dfa(&m).states(), 1 << 10);
}
