//! Quotients against the greatest fixpoints over pairs.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use suppose_model::lts::{Equivalence, Label, Lts, LtsBuilder, Quotient, SizeLimits, minimise};
use suppose_testkit::{Rng, Shape, for_each_seed, naive, random, small::Small};

const ALL: [Equivalence; 4] = [
    Equivalence::Strong,
    Equivalence::DivergencePreserving,
    Equivalence::Branching,
    Equivalence::Weak,
];

fn oracle(lts: &Lts, equivalence: Equivalence) -> Vec<Vec<bool>> {
    match equivalence {
        Equivalence::Strong => naive::strongly_bisimilar(lts),
        Equivalence::Branching => naive::branching_bisimilar(lts),
        Equivalence::DivergencePreserving => naive::divergence_preserving_bisimilar(lts),
        Equivalence::Weak => naive::weakly_bisimilar(lts),
    }
}

fn quotient(lts: &Lts, equivalence: Equivalence) -> Quotient {
    minimise(lts, equivalence, &SizeLimits::default()).unwrap()
}

/// Classes are those of the oracle.
fn check_classes(lts: &Lts, equivalence: Equivalence) -> Quotient {
    let result = quotient(lts, equivalence);
    for (s, row) in oracle(lts, equivalence).iter().enumerate() {
        for (t, same) in row.iter().enumerate() {
            let merged = result.class[s] == result.class[t];
            assert_eq!(merged, *same, "{equivalence:?}: {s} and {t} of {lts:?}");
        }
    }
    result
}

/// And a state and its class are equivalent.
fn check(lts: &Lts, equivalence: Equivalence) {
    let result = check_classes(lts, equivalence);
    let (both, shift) = side_by_side(lts, &result.lts);
    let related = oracle(&both, equivalence);
    for (s, class) in result.class.iter().enumerate() {
        let is_error = lts.error() == Some(s as u32);
        let class = (*class + shift) as usize;
        assert!(
            is_error || related[s][class],
            "{equivalence:?}: {s} of {lts:?}"
        );
    }
    let image = |s: Option<u32>| s.map(|s| result.class[s as usize]);
    assert_eq!(result.lts.error(), image(lts.error()));
    assert_eq!(result.lts.end(), image(lts.end()));
    assert_eq!(result.lts.initial(), result.class[lts.initial() as usize]);
    assert_eq!(result.lts.alphabet(), lts.alphabet());
    let again = quotient(&result.lts, equivalence);
    assert_eq!(again.lts, result.lts, "a quotient is its own quotient");
}

/// Both in one LTS, the states of the second shifted. They share the error state; their ends have
/// the same visible loop.
fn side_by_side(first: &Lts, second: &Lts) -> (Lts, u32) {
    let (shift, at_end) = (first.states() as u32, Label(1000));
    let mut builder = LtsBuilder::like(first).without_end();
    builder.states(shift + second.states() as u32);
    for (s, l, t) in first.all_edges() {
        builder.edge(s, l, t);
    }
    for (s, l, t) in second.all_edges() {
        let target = if second.error() == Some(t) {
            first.error().unwrap()
        } else {
            t + shift
        };
        builder.edge(s + shift, l, target);
    }
    if let (Some(end), Some(other)) = (first.end(), second.end()) {
        builder.edge(end, at_end, end);
        builder.edge(other + shift, at_end, other + shift);
    }
    (builder.build(), shift)
}

#[test]
fn all_small_systems_strongly() {
    for lts in Small::standard().iter() {
        check_classes(&lts, Equivalence::Strong);
    }
}

#[test]
fn all_small_systems_with_tau() {
    let with_tau = Small {
        states: 3,
        labels: 1,
        tau: true,
        deterministic: false,
    };
    for lts in with_tau.iter().step_by(3) {
        for equivalence in ALL {
            check(&lts, equivalence);
        }
    }
}

#[test]
fn all_deterministic_ones_with_an_end_or_an_error() {
    let with_tau = Small {
        states: 3,
        labels: 1,
        tau: true,
        deterministic: true,
    };
    for lts in with_tau.iter() {
        for special in 0..lts.states() as u32 {
            let mut builder = LtsBuilder::like(&lts);
            builder.extend_alphabet(lts.alphabet().iter().copied());
            for (s, l, t) in lts.all_edges().filter(|e| e.0 != special) {
                builder.edge(s, l, t);
            }
            for equivalence in ALL {
                let mut with_error = builder.clone();
                with_error.error(special);
                check(&with_error.build(), equivalence);
                let mut with_end = builder.clone();
                with_end.end(special);
                check(&with_end.build(), equivalence);
            }
        }
    }
}

fn random_lts(rng: &mut Rng, states: usize, tau: u32) -> Lts {
    let shape = Shape {
        states: (1, states),
        tau,
        end: 30,
        error: 30,
        edges_per_state: 150,
        ..Shape::default()
    };
    let alphabet: Vec<Label> = random::labels(rng.between(1, 3)).iter().collect();
    random::lts(rng, "m", &alphabet, &shape)
}

#[test]
fn random_systems() {
    for_each_seed(3000, |rng| {
        let tau = [0, 20, 60, 95][rng.below(4)];
        let lts = random_lts(rng, 12, tau);
        for equivalence in ALL {
            check(&lts, equivalence);
        }
    });
}

#[test]
fn the_equivalences_are_nested() {
    for_each_seed(300, |rng| {
        let lts = random_lts(rng, 60, 40);
        let sizes = ALL.map(|e| quotient(&lts, e).lts.states());
        assert!(sizes.is_sorted_by(|x, y| x >= y), "{sizes:?}");
    });
}

#[test]
fn a_long_chain_is_told_apart_state_by_state() {
    let (a, n) = (Label(1), 100_000);
    for silent in [false, true] {
        let mut builder = LtsBuilder::new("chain");
        for s in 0..n {
            let label = if silent && s % 2 == 0 { Label::TAU } else { a };
            builder.edge(s, label, s + 1);
        }
        let lts = builder.build();
        let strong = quotient(&lts, Equivalence::Strong);
        assert_eq!(strong.lts.states(), n as usize + 1);
        let branching = quotient(&lts, Equivalence::Branching);
        let visible = if silent { n / 2 } else { n };
        assert_eq!(branching.lts.states(), visible as usize + 1);
    }
}

#[test]
fn weak_signatures_respect_the_limit() {
    let mut builder = LtsBuilder::new("fan");
    for s in 0..200 {
        builder.edge(s, Label::TAU, s + 1);
        builder.edge(s, Label(s + 1), s);
    }
    let limits = SizeLimits {
        transitions: 2000,
        ..SizeLimits::default()
    };
    assert!(minimise(&builder.build(), Equivalence::Weak, &limits).is_err());
}
