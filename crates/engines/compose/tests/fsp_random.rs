//! Random FSP models: the front-end, the engines and the checker against the naive interpreter of the
//! testkit, which shares no code with the front-end.
//!
//! The short mode runs with the other tests. The long one is
//! `cargo test --release -p suppose-compose --test fsp_random -- --ignored --nocapture`; it goes on from the seed
//! in `SUPPOSE_SEED` for `SUPPOSE_MODELS` models (100,000 if it is not set).

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod ltsa;

use std::collections::BTreeSet;

use ltsa::{Answers, answers_of};
use suppose_testkit::Rng;
use suppose_testkit::fsp::generate::{SHAPES, model};
use suppose_testkit::fsp::{Naive, interpret};

/// What differs, if anything.
fn difference(naive: &Naive, ours: &Answers) -> Option<String> {
    let sizes = (ours.counts.states, ours.counts.transitions);
    let theirs = (naive.states, naive.transitions);
    // The front-end keeps a part that hides as a list, where ends are not one state and hidden steps
    // are not one step, and makes properties deterministic.
    let fewer = naive.hides && theirs.0 <= sizes.0 && theirs.1 <= sizes.1;
    if sizes != theirs && !naive.merged && !fewer {
        return Some(format!("size {sizes:?} instead of {theirs:?}"));
    }
    let before = ours.stuck_before_errors;
    if before && !naive.stuck || naive.stuck && !ours.deadlock {
        let (stuck, deadlock) = (naive.stuck, ours.deadlock);
        return Some(format!("deadlock {deadlock} ({before}) instead of {stuck}"));
    }
    let theirs: BTreeSet<String> = naive.errors.iter().flatten().cloned().collect();
    if theirs.is_empty() != ours.violated.is_empty() {
        return Some(format!(
            "violated {:?} instead of {theirs:?}",
            ours.violated
        ));
    }
    let in_part = theirs.iter().any(|n| n.contains("SUB") || n.contains("IN"));
    let plain = !in_part && !naive.merged && !naive.hides;
    if plain && ours.first_errors != naive.errors {
        let (ours, theirs) = (&ours.first_errors, &naive.errors);
        return Some(format!("errors {ours:?} instead of {theirs:?}"));
    }
    for (name, holds) in &naive.asserts {
        if ours.asserts.get(name).is_some_and(|ours| ours != holds) {
            return Some(format!("assertion {name} is {holds}"));
        }
    }
    (plain && !theirs.is_subset(&ours.violated)).then(|| {
        format!(
            "violated {:?}, which lacks some of {theirs:?}",
            ours.violated
        )
    })
}

/// Compares one model; says whether both took it.
fn compare(text: &str, all_engines: bool, what: &str) -> bool {
    match (
        interpret(text, "SYS"),
        answers_of(text, Some("SYS"), all_engines),
    ) {
        (Ok(naive), Ok(ours)) => {
            let difference = difference(&naive, &ours);
            assert!(
                difference.is_none(),
                "{what}: {}\n{text}",
                difference.unwrap()
            );
            true
        }
        (Err(_), Err(_)) => false,
        (Err(limit), Ok(_)) if limit.contains("too many") => false,
        (Ok(_), Err(why)) => panic!("{what}: refused, {why}\n{text}"),
        (Err(why), Ok(_)) => panic!("{what}: accepted, though {why}\n{text}"),
    }
}

fn run(first: u64, models: u64, all_engines: bool) {
    let mut taken = 0;
    for seed in first..first + models {
        let shape = SHAPES[(seed % SHAPES.len() as u64) as usize];
        let text = model(&mut Rng::new(seed), shape);
        let what = format!("seed {seed}, {shape:?}");
        taken += u64::from(compare(&text, all_engines, &what));
        if seed % 10_000 == 9_999 {
            println!("up to seed {seed}");
        }
    }
    println!("{models} models from seed {first}, {taken} taken by both");
    assert!(
        taken * 10 >= models * 6,
        "only {taken} of {models} are models"
    );
}

#[test]
fn random_models_mean_what_the_naive_interpreter_says() {
    run(1, 390, true);
}

/// Deadlock is asked of the processes alone, so here it is there: `a`, `e`, `b`. Before an error the processes cannot
/// come to it by themselves, as `a` is wrong at once; with `c`, which only the property has, they can. (Seed 1,001,164.)
#[test]
fn a_label_that_only_a_property_has_can_lead_it_past_its_error() {
    let text = "
        minimal P0 = (a -> P2),
        P1 = (b -> P0),
        P2 = (e -> P1 | a -> P1 | e -> P2).
        minimal Q = (a -> Q1 | a -> a -> Q),
        Q1 = STOP.
        R = (b -> b -> R | b -> R).
        compose ||SUB = (P0 || Q).
        property SAFE = (c -> S1 | b -> S1),
        S1 = (a -> SAFE | c -> S1 | b -> SAFE).
        ||SYS = (SUB || R || SAFE).";
    assert!(compare(text, true, "by hand"));
    let ours = answers_of(text, Some("SYS"), true).unwrap();
    assert!(ours.deadlock && ours.deadlock_before_errors && !ours.stuck_before_errors);
    assert_eq!(ours.violated, BTreeSet::from(["SAFE".to_owned()]));
}

/// Relabelling makes `c` and `d` of SUB one, so that LTSA composes it first and counts its two hidden steps between the same
/// states as one; we need not compose it, and count two. (Seed 1,015,823; 1,019,793 and 1,059,872 are the same with `compose`.)
#[test]
fn hidden_steps_of_a_part_that_relabelling_composes_may_be_counted_twice() {
    let text = "
        P = (b -> d -> P) +{c}.
        Q = (e -> Q1 | b -> Q1),
        Q1 = (b -> Q1 | e -> STOP) @{a}.
        R = (d -> R) +{b}.
        ||SUB = (P || Q).
        ||SYS = (SUB || R)/{c/d}.";
    assert!(compare(text, true, "by hand"));
    let naive = interpret(text, "SYS").unwrap();
    let ours = answers_of(text, Some("SYS"), true).unwrap();
    assert_eq!((naive.states, naive.transitions, naive.hides), (3, 3, true));
    assert_eq!((ours.counts.states, ours.counts.transitions), (3, 4));
}

#[test]
#[ignore = "long"]
fn many_random_models_mean_what_the_naive_interpreter_says() {
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |v| v.parse().unwrap())
    };
    let first = number("SUPPOSE_SEED", 1_000_000);
    run(first, number("SUPPOSE_MODELS", 100_000), false);
}
