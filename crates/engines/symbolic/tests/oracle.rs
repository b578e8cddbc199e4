//! The symbolic engine against the plain one that goes from state to state, on random texts.

use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Question, Shows};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, Steps, is_run, random};

fn compare(seed: u64, decided: &mut [usize; 4]) {
    let text = random(&mut Rng::new(seed), Shape::default());
    let Ok((read, _)) = read_text("random.smv", &text, Dialect::NuSmv) else {
        panic!("seed {seed}: not read\n{text}");
    };
    let system = &read.system;
    let Ok(mut oracle) = Oracle::new(system, 500, 2_000_000) else {
        return;
    };
    let engine = Concrete::new(system, RelationOptions::default(), &Context::default());
    let deadlock = engine.deadlock().expect("not stopped");
    assert_eq!(deadlock.is_none(), oracle.is_total(), "seed {seed}\n{text}");
    if let Some(trace) = deadlock {
        assert!(is_run(system, &trace), "seed {seed}\n{text}\n{trace:?}");
    }
    for property in &system.properties {
        let found = engine.decide(property).expect("not stopped");
        let expected = oracle.verdict(&property.question);
        if expected.is_err() {
            // Too much for the plain way.
            continue;
        }
        let kind = match property.question {
            Question::Ctl(_) => 0,
            Question::Ltl(_) => 1,
            Question::Invariant(_) => 2,
            _ => 3,
        };
        decided[kind] += 1;
        let name = format!("seed {seed}, {:?}\n{text}", property.name);
        match found.found {
            SymbolicVerdict::Steps(steps) => {
                let expected = match oracle.compute(&property.question) {
                    Ok(Some(Steps::Finite(n))) => Some(n as u64),
                    Ok(Some(Steps::Infinite)) => None,
                    other => panic!("{name}\n{other:?}"),
                };
                assert_eq!(steps, expected, "{name}");
            }
            SymbolicVerdict::Holds(_) => {
                assert_eq!(expected, Ok(Some(true)), "{name}");
            }
            SymbolicVerdict::Unknown(why) => {
                let computed = oracle.compute(&property.question);
                assert_eq!(computed, Ok(Some(Steps::Undefined)), "{name}\n{why}");
            }
            SymbolicVerdict::Fails(trace, shows) => {
                assert_eq!(expected, Ok(Some(false)), "{name}");
                assert!(is_run(system, &trace), "{name}\n{trace:?}");
                if kind > 0 {
                    assert_eq!(shows, Shows::All);
                }
            }
        }
    }
}

#[test]
fn random_systems_are_decided_as_the_oracle_does() {
    let mut decided = [0; 4];
    for seed in 0..1_000 {
        compare(seed, &mut decided);
    }
    println!("CTL, LTL, invariants, computed: {decided:?}");
    assert!(decided[..3].iter().all(|n| *n > 2_000));
}

#[test]
#[ignore = "long"]
fn many_random_systems_are_decided_as_the_oracle_does() {
    let mut decided = [0; 4];
    for seed in 1_000..20_000 {
        compare(seed, &mut decided);
    }
    println!("CTL, LTL, invariants, computed: {decided:?}");
}
