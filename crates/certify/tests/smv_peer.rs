//! NuSMV, the oracle that goes from state to state, the engines and the checker on random systems: one meaning for all of them.
//!
//! What is compared with NuSMV is the front-end and the semantics; engines and evidence are compared with the oracle, which NuSMV agrees with. The long mode takes
//! 100,000 systems: `cargo test --release -p suppose-certify --test smv_peer -- --ignored --nocapture hundred`, from the seed in `SUPPOSE_SMV_FROM` on, if that is set.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use suppose_certify::fsm::{CheckLimits, Expected, Refusal, check_proof, check_run, check_small};
use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Fairness, Property, Question, System};
use suppose_symbolic::{Answer, Cegar, CegarOptions, Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{NusmvResult, Oracle, Steps, nusmv, random_whole, wide_twins};

#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    with_deadlock: usize,
    verdicts: usize,
    numbers: usize,
    by_engines: usize,
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("suppose-peer-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(text: &str, seed: u64) -> System {
    match read_text("random.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err((errors, sources)) => {
            panic!("seed {seed}: {}\n{text}", errors[0].render(&sources, false))
        }
    }
}

/// Evidence for an answer is accepted, or too large.
fn accepted(system: &System, question: &Question, answer: &Answer) -> bool {
    let limits = CheckLimits::default();
    let checked = match &answer.found {
        SymbolicVerdict::Holds(Some(proof)) => check_proof(system, question, proof, &limits),
        SymbolicVerdict::Holds(None) => check_small(system, question, Expected::Holds, &limits),
        SymbolicVerdict::Fails(trace, shows) => check_run(system, question, trace, *shows, &limits),
        SymbolicVerdict::Steps(steps) => {
            check_small(system, question, Expected::Steps(*steps), &limits)
        }
        SymbolicVerdict::Unknown(_) => return true,
    };
    !matches!(checked, Err(Refusal::Rejection(_)))
}

/// The engines on the part of the system that a property depends on, against what is right; `seed` chooses how to abstract.
fn engines(
    system: &System,
    property: &Property,
    right: Option<bool>,
    steps: Option<Steps>,
    seed: u64,
) -> Result<(), String> {
    let part = system.cone(property).system;
    let asked = part.properties.first().unwrap();
    let options = CegarOptions {
        far: [None, Some(0), Some(1)][seed as usize % 3],
        ..CegarOptions::default()
    };
    let cx = Context::default();
    let answers = [
        Concrete::new(&part, RelationOptions::default(), &cx).decide(asked),
        Cegar::new(&part, options, &cx).decide(asked),
    ];
    for (engine, answer) in ["bdd", "cegar"].into_iter().zip(answers) {
        let answer = answer.unwrap();
        let fits = match &answer.found {
            SymbolicVerdict::Holds(_) => right == Some(true),
            SymbolicVerdict::Fails(..) => right == Some(false),
            SymbolicVerdict::Steps(Some(n)) => steps == Some(Steps::Finite(*n as usize)),
            SymbolicVerdict::Steps(None) => steps == Some(Steps::Infinite),
            SymbolicVerdict::Unknown(_) => engine == "cegar" || steps == Some(Steps::Undefined),
        };
        if !fits {
            return Err(format!(
                "{engine} says {:?}, not {right:?} {steps:?}",
                answer.found
            ));
        }
        if !accepted(&part, &asked.question, &answer) {
            return Err(format!(
                "evidence of {engine} is rejected: {:?}",
                answer.found
            ));
        }
    }
    Ok(())
}

fn compare(
    seed: u64,
    text: &str,
    system: &System,
    said: &NusmvResult,
    every: u64,
    counts: &mut Counts,
) {
    let what = |name: &str| format!("seed {seed}, {name}\n{text}\n{}", said.all);
    assert!(said.states.is_some(), "NuSMV refuses: {}", what(""));
    let mut oracle = Oracle::new(system, 50_000, 50_000_000).unwrap();
    assert_eq!(
        said.states,
        Some(oracle.graph.states.len() as u64),
        "states: {}",
        what("")
    );
    assert_eq!(said.deadlock, !oracle.is_total(), "deadlock: {}", what(""));
    counts.systems += 1;
    counts.with_deadlock += usize::from(said.deadlock);
    let compassion = system
        .fairness
        .iter()
        .any(|f| matches!(f, Fairness::Compassion(..)));
    for property in &system.properties {
        let name = property.name.clone().unwrap();
        let steps = oracle.compute(&property.question).unwrap();
        // Some formulas of LTL are too large for the oracle.
        let Ok(right) = oracle.verdict(&property.question) else {
            continue;
        };
        // NuSMV says itself that it does not fully support COMPASSION: only LTL counts there.
        let supported =
            !compassion || matches!(property.question, Question::Ltl(_) | Question::Invariant(_));
        if supported {
            // Without a fair run NuSMV's numbers mean nothing, as it warns itself: MAX is undefined or 0.
            if let Some(steps) = &steps
                && oracle.has_fair_run()
            {
                assert_eq!(said.steps.get(&name), Some(steps), "{}", what(&name));
                counts.numbers += 1;
            }
            if let Some(right) = right {
                assert_eq!(said.verdicts.get(&name), Some(&right), "{}", what(&name));
                counts.verdicts += 1;
            }
        }
        if !seed.is_multiple_of(every) {
            continue;
        }
        if let Err(why) = engines(system, property, right, steps, seed) {
            panic!("{why}: {}", what(&name));
        }
        counts.by_engines += 1;
    }
}

/// Compares all with NuSMV, and every so many with the engines.
fn batch(from: u64, to: u64, folder: &Path, every: u64, counts: &mut Counts) {
    let mut texts = Vec::new();
    let mut systems = Vec::new();
    for seed in from..to {
        let text = random_whole(&mut Rng::new(seed), 2);
        let system = read(&text, seed);
        let names = system.properties.iter().filter_map(|p| p.name.clone());
        texts.push((text, names.collect::<Vec<String>>()));
        systems.push(system);
    }
    let said = nusmv(folder, &texts);
    for (((seed, (text, _)), system), said) in (from..).zip(&texts).zip(&systems).zip(&said) {
        compare(seed, text, system, said, every, counts);
    }
}

#[test]
fn random_systems_mean_what_nusmv_says() {
    let folder = folder("short");
    let mut counts = Counts::default();
    for from in (0..250).step_by(50) {
        batch(from, from + 50, &folder, 1, &mut counts);
    }
    println!("{counts:?}");
    assert!(
        counts.verdicts > 800 && counts.numbers > 200 && counts.with_deadlock > 10,
        "{counts:?}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// NuSMV has no words of more than 64 bits: it is asked about a twin of booleans.
fn wide_batch(from: u64, to: u64, folder: &Path, every: u64, counts: &mut Counts) {
    let twins: Vec<_> = (from..to)
        .map(|seed| wide_twins(&mut Rng::new(seed), 3))
        .collect();
    let systems: Vec<System> = (from..)
        .zip(&twins)
        .map(|(seed, twins)| read(&twins.wide, seed))
        .collect();
    let names = |system: &System| {
        system
            .properties
            .iter()
            .filter_map(|p| p.name.clone())
            .collect()
    };
    let asked: Vec<(String, Vec<String>)> = twins
        .iter()
        .zip(&systems)
        .map(|(twins, system)| (twins.narrow.clone(), names(system)))
        .collect();
    let said = nusmv(folder, &asked);
    for (((seed, twins), system), said) in (from..).zip(&twins).zip(&systems).zip(&said) {
        compare(seed, &twins.wide, system, said, every, counts);
    }
}

/// Found by the long mode: a past that needs no memory is still none that an invariant shows.
#[test]
fn a_past_of_this_moment_has_evidence() {
    let text = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := FALSE;\nLTLSPEC NAME l := G H [0, 0] !x;\n";
    let system = read(text, 2_130);
    let property = system.properties.first().unwrap();
    for seed in 0..3 {
        engines(&system, property, Some(true), None, seed).unwrap();
    }
}

/// Found by the long mode: without a fair run there is no longest way, whatever the sets are.
#[test]
fn without_a_fair_run_no_way_is_the_longest() {
    let text = "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN init(x) := FALSE; next(x) := x;\nJUSTICE x;\n\
                COMPUTE NAME m := MAX [y, A [x BU 1..2 y]];\nCOMPUTE NAME n := MAX [TRUE, TRUE];\n";
    let system = read(text, 2_700);
    for property in &system.properties {
        let mut oracle = Oracle::new(&system, 100, 10_000).unwrap();
        let steps = oracle.compute(&property.question).unwrap();
        assert_eq!(steps, Some(Steps::Undefined));
        engines(&system, property, None, steps, 0).unwrap();
    }
}

#[test]
fn wide_words_mean_what_nusmv_says_of_their_bits() {
    let folder = folder("wide");
    let mut counts = Counts::default();
    for from in (0..60).step_by(20) {
        wide_batch(from, from + 20, &folder, 1, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.verdicts > 500, "{counts:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "long"]
fn many_wide_words_mean_what_nusmv_says_of_their_bits() {
    let folder = folder("wide-long");
    let mut counts = Counts::default();
    for from in (1_000..6_000).step_by(100) {
        wide_batch(from, from + 100, &folder, 10, &mut counts);
    }
    println!("{counts:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_random_systems_mean_what_nusmv_says() {
    let folder = folder("long");
    let begin = std::env::var("SUPPOSE_SMV_FROM")
        .ok()
        .and_then(|n| n.parse().ok());
    let begin: u64 = begin.unwrap_or(1_000);
    let mut counts = Counts::default();
    for from in (begin..begin + 100_000).step_by(100) {
        batch(from, from + 100, &folder, 10, &mut counts);
        if from.is_multiple_of(5_000) {
            println!("seed {from}: {counts:?}");
        }
    }
    println!("{counts:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
