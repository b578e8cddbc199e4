//! Mutual exclusion protocols: proved, and their broken twins refuted.

use std::collections::BTreeMap;
use std::path::Path;

use suppose_certify::file::{Model, ReadLimits};
use suppose_certify::program::file;
use suppose_certify::views::views;
use suppose_control::Context;
use suppose_local::{LocalOptions, Report, ViewVerdict, check};
use suppose_model::program::semantics::replay;
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::{Program, Question, ViewProof};

mod support;
use support::{read, violation};

fn program(name: &str, set: &[(&str, i64)]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = folder.join(format!("../../bench/parts/{name}.pml"));
    let example = folder.join(format!("../../../examples/promela/{name}/{name}.pml"));
    let text = std::fs::read_to_string(own).or_else(|_| std::fs::read_to_string(example));
    let text = text.expect("the model is there");
    let set: BTreeMap<_, _> = set.iter().copied().collect();
    let defines: String = set
        .iter()
        .map(|(name, value)| format!("#define {name} {value}\n"))
        .collect();
    read(&format!("{defines}{text}"))
}

fn run(program: &Program) -> Report {
    let cx = Context::default();
    let search = |question, cx: &Context| violation(program, question, cx);
    check(
        program,
        Question::Assertions,
        &LocalOptions::default(),
        &search,
        &cx,
    )
}

#[track_caller]
fn proof(program: &Program) -> ViewProof {
    let report = run(program);
    let ViewVerdict::Holds(proof) = report.found else {
        panic!("{report:?}");
    };
    let accepted = views(program, &proof, &Context::default());
    assert!(accepted.is_ok(), "{accepted:?}");
    *proof
}

#[track_caller]
fn refuted(program: &Program) {
    let report = run(program);
    let ViewVerdict::Violated(trace) = report.found else {
        panic!("{report:?}");
    };
    assert!(replay(program, &trace, &Context::default()).is_ok());
}

#[test]
fn burns() {
    let three = proof(&program("burns", &[("N", 3)]));
    assert!(three.split.owners.iter().flatten().count() == 3);
    proof(&program("burns", &[("N", 5)]));
    refuted(&program("burns", &[("N", 3), ("BROKEN", 1)]));
}

#[test]
fn bakery() {
    proof(&program("bakery", &[("N", 2)]));
    refuted(&program("bakery", &[("N", 2), ("BROKEN", 1)]));
}

#[test]
fn filter() {
    proof(&program("peterson", &[("N", 3)]));
    refuted(&program("peterson", &[("N", 3), ("BROKEN", 1)]));
}

#[test]
fn queue_lock() {
    proof(&program("mcs", &[("N", 3)]));
    refuted(&program("mcs", &[("N", 3), ("BROKEN", 1)]));
}

/// Pairs are too coarse for this lock: a count must be exposed. Without it, the alarm is not told as a violation.
#[test]
fn an_alarm_without_a_run_is_no_verdict() {
    let lock = program("ticket", &[("N", 3)]);
    let search = |question, cx: &Context| violation(&lock, question, cx);
    let options = LocalOptions {
        rounds: 0,
        ..LocalOptions::default()
    };
    let cx = Context::default();
    let report = check(&lock, Question::Assertions, &options, &search, &cx);
    assert!(
        matches!(report.found, ViewVerdict::Unknown(_)),
        "{report:?}"
    );
    let exposed = proof(&lock).split.exposed;
    assert!(!exposed.is_empty());
    refuted(&program("ticket", &[("N", 3), ("BROKEN", 1)]));
}

/// A proof without any one of its views is none.
#[test]
fn every_view_is_needed() {
    for count in [2, 3] {
        let program = program("burns", &[("N", count)]);
        let whole = proof(&program);
        for number in 0..whole.views.len() {
            let mut less = whole.clone();
            less.views.remove(number);
            let judged = views(&program, &less, &Context::default());
            assert!(
                judged.is_err(),
                "{count} processes: view {number} is not needed"
            );
        }
    }
}

/// So is one with another split, and one about another question.
#[test]
fn damaged_proofs_are_rejected() {
    let program = program("burns", &[("N", 3)]);
    let whole = proof(&program);
    let rejected = |damage: &dyn Fn(&mut ViewProof)| {
        let mut it = whole.clone();
        damage(&mut it);
        assert!(views(&program, &it, &Context::default()).is_err());
    };
    rejected(&|p| p.question = Question::EndStates);
    rejected(&|p| p.question = Question::Claim(0));
    rejected(&|p| p.split.places = 2);
    rejected(&|p| p.split.places = 1000);
    rejected(&|p| p.split.merge = false);
    rejected(&|p| p.split.owners[0] = Some(1));
    rejected(&|p| p.split.owners.clear());
    rejected(&|p| p.locals[0].location = 1000);
    rejected(&|p| p.locals[0].locals.push(1));
    rejected(&|p| p.locals.push(p.locals[0].clone()));
    rejected(&|p| p.shared[0].globals[0] += 1);
    rejected(&|p| p.shared[0].processes.push(0));
    rejected(&|p| p.shared[0].claim = 5);
    rejected(&|p| p.views[0].shared = u32::MAX);
    rejected(&|p| p.views[0].first.1 = u32::MAX);
    rejected(&|p| p.views[0].second.0 = p.views[0].first.0);
}

#[test]
fn proofs_are_kept_in_files() {
    let program = program("burns", &[("N", 3)]);
    let proof = proof(&program);
    let models = vec![Model::of("burns.pml", b"text")];
    let mut bytes = Vec::new();
    file::write(&mut bytes, &program, &models, &proof).expect("writing to memory");
    assert!(file::is_one::<ViewProof>(bytes.as_slice()));
    let limits = ReadLimits::default();
    let back = file::read::<ViewProof>(bytes.as_slice(), &program, &models, &limits);
    assert_eq!(back.as_ref(), Ok(&proof));
    let others = vec![Model::of("burns.pml", b"another")];
    assert!(file::read::<ViewProof>(bytes.as_slice(), &program, &others, &limits).is_err());
    let text = String::from_utf8(bytes).expect("JSON is text");
    for cut in (0..text.trim_end().len()).step_by(97) {
        assert!(
            file::read::<ViewProof>(&text.as_bytes()[..cut], &program, &models, &limits).is_err()
        );
    }
}

/// A proof with a few processes that can be exchanged is one for any number, however many the program has.
#[test]
fn any_number_of_processes() {
    for (name, count) in [("test-and-set", 8), ("client-server", 8), ("mcs", 12)] {
        let few = proof(&program(name, &[("N", count)]));
        let many = proof(&program(name, &[("N", 30)]));
        assert!(few.for_any && many.for_any, "{name}");
        assert_eq!(few.views, many.views, "{name}");
        let program = program(name, &[("N", count)]);
        let rejected = |proof: &ViewProof| views(&program, proof, &Context::default()).is_err();
        for number in (0..few.views.len()).step_by(1 + few.views.len() / 40) {
            let mut less = few.clone();
            less.views.remove(number);
            assert!(rejected(&less), "{name}: view {number} is not needed");
        }
        let damaged = |damage: &dyn Fn(&mut ViewProof, &mut Symmetry)| {
            let mut other = few.clone();
            let mut symmetry = other.symmetry.clone().expect("processes are alike");
            damage(&mut other, &mut symmetry);
            other.symmetry = Some(symmetry);
            assert!(rejected(&other), "{name}");
        };
        damaged(&|_, s| s.count = 2);
        damaged(&|_, s| s.count = 100);
        damaged(&|_, s| s.count = u32::MAX);
        damaged(&|_, s| s.first += 1);
        damaged(&|_, s| s.first = u32::MAX);
        damaged(&|_, s| s.proctype += 1);
        damaged(&|_, s| s.globals[0] = Some(0));
        damaged(&|_, s| s.globals.clear());
        damaged(&|_, s| s.locals.clear());
        damaged(&|_, s| s.fields.push(Vec::new()));
        damaged(&|p, _| p.split.owners.fill(Some(0)));
        damaged(&|p, _| p.shared[0].processes.fill(7));
        let mut other = few.clone();
        other.symmetry = None;
        assert!(rejected(&other), "{name}");
    }
}

/// Numbers that are kept with one added, and 0 for nobody: a queue of processes.
#[test]
fn views_of_processes_that_can_be_exchanged_are_kept_once() {
    let three = proof(&program("mcs", &[("N", 3)]));
    assert!(three.symmetry.is_some() && !three.for_any);
    let four = proof(&program("mcs", &[("N", 4)]));
    assert!(four.views.len() < 2 * three.views.len());
    let text = program("mcs", &[("N", 3)]);
    for number in (0..three.views.len()).step_by(7) {
        let mut less = three.clone();
        less.views.remove(number);
        let judged = views(&text, &less, &Context::default());
        assert!(judged.is_err(), "view {number} is not needed");
    }
}

/// Processes that put their numbers in order cannot be exchanged.
#[test]
fn numbers_tell_processes_apart() {
    let burns = proof(&program("burns", &[("N", 5)]));
    assert!(burns.symmetry.is_none() && !burns.for_any);
    let program = program("burns", &[("N", 5)]);
    let alike = Symmetry {
        proctype: 0,
        first: 0,
        count: 5,
        globals: vec![None; program.globals.len()],
        locals: vec![vec![None; program.proctypes[0].locals.len()]],
        fields: Vec::new(),
    };
    for for_any in [false, true] {
        let damaged = ViewProof {
            symmetry: Some(alike.clone()),
            for_any,
            ..burns.clone()
        };
        assert!(views(&program, &damaged, &Context::default()).is_err());
    }
    let damaged = ViewProof {
        for_any: true,
        ..burns
    };
    assert!(views(&program, &damaged, &Context::default()).is_err());
}
