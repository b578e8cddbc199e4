//! Clauses in SMT-LIB against outside authorities: an evaluator of the text that shares nothing with the front-end, and
//! z3's Spacer.
//!
//! The long mode: `cargo test --release -p suppose-chc --test outside -- --ignored --nocapture`. z3 must be there, on the PATH or in
//! `.test-tools/bin`, where `scripts/test.sh` puts it.

mod support;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_chc::preprocess::simplify;
use suppose_chc::recmc::{self, RecmcOptions};
use suppose_chc::{ChcVerdict, evidence};
use suppose_control::Context;
use suppose_frontends::smtlib::{read_text, write_definitions};
use suppose_model::chc::{App, Clause, Horn, Sort, Value};
use suppose_number::{Int, Rat};
use suppose_smt::{SatResult, Solver};
use suppose_testkit::smtlib::{self, Point, System, Term};
use suppose_testkit::{Rng, for_each_seed};

/// A predicate that is true of every other list of values or so.
fn guessed(salt: u64, name: &str, values: &[Term]) -> bool {
    let mut hasher = DefaultHasher::new();
    (salt, name, values).hash(&mut hasher);
    hasher.finish().is_multiple_of(2)
}

fn point(rng: &mut Rng, variables: &[(String, &'static str)]) -> BTreeMap<String, Term> {
    let value = |rng: &mut Rng, sort: &str| match sort {
        "Bool" => Term::Bool(rng.percent(50)),
        "Int" => Term::Number(Rat::from(rng.below(11) as i64 - 5)),
        _ => Term::Number(Rat::new(Int::from(rng.below(17) as i64 - 8), Int::from(4))),
    };
    variables
        .iter()
        .map(|(name, sort)| (name.clone(), value(rng, sort)))
        .collect()
}

/// Is a clause, as it was read, true at the point, the variables that the reader added having what values they must?
fn is_true(horn: &Horn, clause: &Clause, at: &BTreeMap<String, Term>, salt: u64) -> bool {
    let mut terms = horn.terms.clone();
    let mut parts = vec![clause.constraint];
    for var in horn.variables(clause) {
        if let Some(value) = at.get(terms.name(var)) {
            let value = match value {
                Term::Bool(truth) => Value::Bool(*truth),
                Term::Number(number) => Value::Num(number.clone()),
            };
            parts.push(terms.has_value(var, &value));
        }
    }
    let mut solver = Solver::new();
    for part in parts {
        solver.assert(&mut terms, part);
    }
    let cx = Context::default();
    match solver.check(&mut terms, &[], &cx).expect("no limit") {
        SatResult::Unsat => return true,
        SatResult::Unknown => panic!("values of all variables, and not decided"),
        SatResult::Sat => {}
    }
    let model = solver.model();
    let holds = |app: &App| {
        let predicate = horn.predicate(app.pred);
        let values = app.args.iter().map(|&v| match terms.sort(v) {
            Sort::Bool => Term::Bool(model.truth(v)),
            Sort::Int | Sort::Real => Term::Number(model.number(v)),
        });
        guessed(salt, &predicate.name, &values.collect::<Vec<Term>>())
    };
    !clause.body.iter().all(holds) || clause.head.as_ref().is_some_and(holds)
}

/// Each asserted formula by itself: at random points its clauses are all true iff the formula is, by the text.
fn meaning(rng: &mut Rng, compared: &mut u64) {
    let system = smtlib::random(rng);
    for asserted in &system.clauses {
        let text = format!("{}(assert {})", system.head, asserted.text);
        let horn = match read_text("random.smt2", &text) {
            Ok((read, _)) => read.horn,
            Err((errors, sources)) => {
                let why: Vec<String> = errors.iter().map(|e| e.render(&sources, false)).collect();
                assert!(system.divides_by_zero, "{text}\n{}", why.join("\n"));
                continue;
            }
        };
        let tree = smtlib::parse(&asserted.text).remove(0);
        for _ in 0..4 {
            let values = point(rng, &asserted.variables);
            let salt = rng.next_u64();
            let mut at = Point {
                values: values.clone(),
                definitions: &system.definitions,
                predicate: &|name, arguments| guessed(salt, name, arguments),
            };
            let Ok(expected) = smtlib::eval(&tree, &mut at) else {
                continue;
            };
            let all = horn.clauses.iter();
            let found = { all }.all(|clause| is_true(&horn, clause, &values, salt));
            assert_eq!(Term::Bool(found), expected, "{text}\nat {values:?}");
            *compared += 1;
        }
    }
}

#[test]
fn clauses_mean_what_the_text_says() {
    let mut compared = 0;
    for_each_seed(1_500, |rng| meaning(rng, &mut compared));
    assert!(compared > 0);
}

/// How much one system may take: what is not decided soon is left out.
const WORK: u64 = 4_000;

/// Our verdict with its evidence accepted, on the clauses as they were read: does the system hold?
fn decided(horn: &Horn, system: &System) -> Option<bool> {
    let cx = Context::default().with_work(WORK);
    let simpler = simplify(horn, &cx).ok()?;
    let (found, _) = recmc::solve(&simpler.horn, RecmcOptions::default(), &cx);
    match found {
        ChcVerdict::Unknown { .. } => None,
        ChcVerdict::Violated(derivation) => {
            let terms = &simpler.horn.terms;
            let derivation = simpler.back.derivation(horn, terms, &derivation);
            let derivation = derivation.expect("a derivation from the original clauses");
            check_derivation(horn, &derivation).expect("the derivation is right");
            Some(false)
        }
        ChcVerdict::Holds {
            mut terms,
            definitions,
        } => {
            let back = &simpler.back;
            let definitions = back.definitions(&mut terms, &definitions, &cx).ok()??;
            let proofs = evidence::with_proofs(horn, &terms, &definitions, &cx).ok()??;
            check_definitions(horn, &proofs, &Context::default())
                .expect("the definitions are right");
            make_all_true(system, &write_definitions(horn, &terms, &definitions));
            Some(true)
        }
    }
}

/// Definitions as text make the asserted text true at random points: from the input to the evidence, nothing of ours
/// stands between the two but what wrote the definitions.
fn make_all_true(system: &System, written: &str) {
    let mut definitions = smtlib::definitions(written);
    definitions.extend(system.definitions.clone());
    let mut rng = Rng::new(written.len() as u64);
    for asserted in &system.clauses {
        let tree = smtlib::parse(&asserted.text).remove(0);
        for _ in 0..8 {
            let mut at = Point {
                values: point(&mut rng, &asserted.variables),
                definitions: &definitions,
                predicate: &|name, _| panic!("`{name}` has a definition"),
            };
            let values = at.values.clone();
            let truth = smtlib::eval(&tree, &mut at);
            assert_eq!(
                truth,
                Ok(Term::Bool(true)),
                "{}\nat {values:?}\n{written}",
                asserted.text
            );
        }
    }
}

/// What z3 says of systems.
fn asked(systems: &[System]) -> Vec<String> {
    let texts: Vec<String> = systems.iter().map(System::plain_text).collect();
    support::spacer(&texts, 400_000)
}

const BATCH: u64 = 100;

fn compare_verdicts(count: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("SUPPOSE_SEED").unwrap_or(0);
    let count = number("SUPPOSE_CASES").unwrap_or(count);
    let (mut seen, mut ours_only, mut theirs_only, mut neither) = ([0, 0], 0, 0, 0);
    for batch in (first..first + count).step_by(BATCH as usize) {
        let mut systems = Vec::new();
        for seed in batch..(batch + BATCH).min(first + count) {
            let system = smtlib::random(&mut Rng::new(seed));
            // z3 may give any value to a division by 0; we refuse it.
            if !system.divides_by_zero {
                systems.push((seed, system));
            }
        }
        let texts: Vec<System> = systems.iter().map(|(_, s)| s.clone()).collect();
        for ((seed, system), said) in systems.iter().zip(asked(&texts)) {
            let text = system.text();
            let horn = support::read(&text);
            let ours = decided(&horn, system);
            match (ours, said.as_str()) {
                (Some(true), "sat") => seen[0] += 1,
                (Some(false), "unsat") => seen[1] += 1,
                (Some(_), "sat" | "unsat") => {
                    panic!(
                        "SUPPOSE_SEED={seed}: we say {ours:?}, z3 says {said}\n{text}\n{}",
                        system.plain_text()
                    )
                }
                (Some(_), _) => ours_only += 1,
                (None, "sat" | "unsat") => theirs_only += 1,
                (None, _) => neither += 1,
            }
        }
    }
    let report = format!(
        "both hold {}, both violated {}, only we {ours_only}, only z3 {theirs_only}, neither {neither}",
        seen[0], seen[1]
    );
    #[allow(clippy::print_stderr, reason = "the long mode tells how far it came")]
    if count > 1_000 {
        eprintln!("{report}");
    }
    assert!(seen.iter().all(|&n| n * 20 > count), "{report}");
    assert!(theirs_only * 50 < count, "{report}");
}

#[test]
fn verdicts_are_those_of_spacer() {
    compare_verdicts(400);
}

#[test]
#[ignore = "takes an hour; the long mode"]
fn a_hundred_thousand_systems() {
    let mut compared = 0;
    for_each_seed(100_000, |rng| meaning(rng, &mut compared));
    compare_verdicts(100_000);
}

/// A constant divisor of 0 is refused with its place, whatever stands around it.
#[test]
fn division_by_zero_is_refused() {
    let mut refused = 0;
    for_each_seed(3_000, |rng| {
        let system = smtlib::random(rng);
        if system.divides_by_zero && read_text("random.smt2", &system.text()).is_err() {
            refused += 1;
        }
    });
    assert!(refused > 0 || std::env::var("SUPPOSE_SEED").is_ok());
}
