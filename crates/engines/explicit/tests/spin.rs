//! The engine against real SPIN: the same states are stored, and the same verdicts are found.

use suppose_certify::program::Reexploration;
use suppose_control::Context;
use suppose_explicit::{Found, Options, Order, Report, search};
use suppose_frontends::promela;
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_source::{FileId, ParserLimits, Sources};
use suppose_testkit::promela::claim::program as random_claim;
use suppose_testkit::promela::expected::checks;
use suppose_testkit::promela::spin::{claim_fails, spin};
use suppose_testkit::promela::{Shape, program as random_program};
use suppose_testkit::rng::{Rng, for_each_seed};

/// As SPIN counts with all its reductions off, going on after errors.
fn as_spin() -> Options {
    Options {
        exhaust: true,
        past_assertions: true,
        ..Options::faithful()
    }
}

fn read(name: &str, text: &str, defines: &[(String, i64)]) -> Option<Program> {
    let mut sources = Sources::single(name, text);
    let mut none = |_: &str| Err("there are no other files".to_owned());
    let limits = ParserLimits::default();
    let read = promela::read(FileId(0), &mut sources, &mut none, defines, &limits);
    read.ok().map(|r| r.program)
}

fn run(program: &Program, options: &Options) -> Report {
    let questions = [Question::Assertions, Question::EndStates];
    search(program, &questions, options, &Context::default())
}

fn is_violated(report: &Report, question: Question) -> bool {
    let found = report.verdicts.iter().find(|(q, _)| *q == question);
    match found {
        Some((_, Found::Violated(_))) => true,
        Some((_, Found::Holds)) => false,
        other => panic!("{other:?}"),
    }
}

fn replays(program: &Program, report: &Report) {
    for (question, found) in &report.verdicts {
        if let Found::Violated(trace) = found {
            assert_eq!(trace.question, *question);
            let replayed = replay(program, trace);
            assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}");
        }
    }
}

/// The engine with and without reductions, on both orders: the same verdicts, and runs that replay.
fn all_ways_agree(program: &Program) {
    let first = run(program, &Options::faithful());
    replays(program, &first);
    for order in [Order::Breadth, Order::Depth, Order::DepthLast] {
        for (reduction, merge) in [(true, false), (false, true), (true, true)] {
            let options = Options {
                order,
                reduction,
                merge,
                ..Options::default()
            };
            let report = run(program, &options);
            replays(program, &report);
            for question in [Question::Assertions, Question::EndStates] {
                let (one, other) = (
                    is_violated(&first, question),
                    is_violated(&report, question),
                );
                assert_eq!(one, other, "{question:?} with {options:?}");
            }
        }
    }
}

#[test]
fn examples_have_the_states_that_spin_stores() {
    let mut compared = 0;
    for check in checks().iter().filter(|c| c.is_up_to(60_000)) {
        let text = std::fs::read_to_string(check.path()).expect("a readable file");
        // What runs C is refused.
        let set: Vec<(String, i64)> = check.set.clone().into_iter().collect();
        let Some(program) = read("example.pml", &text, &set) else {
            continue;
        };
        let name = format!("{} {:?}", check.file, check.set);
        let report = run(&program, &as_spin());
        // Behind an index out of range SPIN goes on with what happens to be there; we do not. Programs
        // with priorities go the plain way, which does not go on behind assertions.
        let violated = is_violated(&report, Question::Assertions);
        let error = check.violated("error") == Some(true);
        if !(error || violated && program.uses_priority) {
            assert_eq!(Some(report.states), check.spin.states, "{name}");
            compared += 1;
        }
        if let Some(expected) = check.violated("assertion") {
            assert_eq!(violated, expected, "{name}");
        }
        if let Some(expected) = check.violated("end-state") {
            let ends = is_violated(&report, Question::EndStates);
            assert_eq!(ends, expected, "{name}");
        }
    }
    assert!(compared > 100, "only {compared} counts were compared");
}

#[test]
fn examples_have_the_same_verdicts_in_all_ways() {
    for check in checks().iter().filter(|c| c.is_up_to(6_000)) {
        let text = std::fs::read_to_string(check.path()).expect("a readable file");
        let set: Vec<(String, i64)> = check.set.clone().into_iter().collect();
        if let Some(program) = read("example.pml", &text, &set) {
            all_ways_agree(&program);
        }
    }
}

fn same_as_spin(text: &str) -> bool {
    let Some(program) = read("random.pml", text, &[]) else {
        panic!("the front-end refuses\n{text}");
    };
    all_ways_agree(&program);
    let Some(said) = spin(text).filter(|s| s.clean) else {
        return false;
    };
    let report = run(&program, &as_spin());
    assert_eq!(report.states, said.states, "states of\n{text}");
    for options in [as_spin(), Options::default()] {
        let report = run(&program, &options);
        let ours = [Question::Assertions, Question::EndStates].map(|q| is_violated(&report, q));
        let theirs = [said.assertion, said.end_state];
        assert_eq!(ours, theirs, "verdicts of\n{text}");
    }
    true
}

#[test]
fn else_looks_only_at_the_edges_before_it_where_a_choice_begins_with_a_choice() {
    let text = "byte a; byte b = 1;
        active proctype P() {
            if
            :: b == 0 -> a = 1
            :: if :: a >= 1 -> a = 2 :: a >= 2 -> a = 3 :: else fi
            :: b == 1 -> a = 4
            fi;
            a = 7
        }";
    assert!(same_as_spin(text));
}

#[test]
fn end_states_are_found_behind_assertions_that_fail() {
    let text = "byte x;
        active proctype P() { atomic { assert(x == 1); x = 2 }; assert(x == 3); x == 1 }
        active proctype Q() { do :: x < 2 -> x = 0 :: x == 2 -> break od }";
    assert!(same_as_spin(text));
    let report = run(&read("m.pml", text, &[]).unwrap(), &Options::default());
    assert!(is_violated(&report, Question::EndStates));
}

fn like_spin(rng: &mut Rng, compared: &mut u64) {
    let text = random_program(rng, &Shape::without_errors());
    *compared += u64::from(same_as_spin(&text));
}

#[test]
fn random_programs_have_the_states_that_spin_stores() {
    let mut compared = 0;
    for_each_seed(24, |rng| like_spin(rng, &mut compared));
    assert!(compared > 0, "SPIN took none of the programs");
}

/// `SUPPOSE_CASES` says how many.
#[test]
#[ignore = "takes a second a program"]
fn many_random_programs_have_the_states_that_spin_stores() {
    let mut compared = 0;
    for_each_seed(500, |rng| like_spin(rng, &mut compared));
    assert!(compared > 0, "SPIN took none of the programs");
}

/// Where processes exchange messages the reduction follows single processes, and finds what all orders of steps find.
#[test]
fn reductions_keep_the_verdicts_of_programs_that_exchange_messages() {
    for_each_seed(300, |rng| {
        let text = random_program(rng, &Shape::messages());
        let program = read("random.pml", &text, &[]).expect("a program");
        let cx = Context::default().with_state_limit(3_000);
        let questions = [Question::Assertions, Question::EndStates];
        if search(&program, &questions, &as_spin(), &cx).complete {
            all_ways_agree(&program);
        }
    });
}

/// A pipeline in which each channel has one sender and one receiver has one order of steps worth following.
#[test]
fn channels_with_one_sender_and_one_receiver_need_few_states() {
    let stage = |i: usize| {
        format!(
            "active proctype P{i}() {{ byte x; do :: c{i}?x; c{}!x + 1 od }}\n",
            i + 1
        )
    };
    let channels: String = (0..5)
        .map(|i| format!("chan c{i} = [2] of {{ byte }};\n"))
        .collect();
    let stages: String = (0..4).map(stage).collect();
    let ends = "active proctype In() { c0!0; c0!0; c0!0 }
        active proctype Out() { byte y; end: do :: c4?y; assert(y == 4) od }\n";
    let program = read("m.pml", &format!("{channels}{stages}{ends}"), &[]).expect("a program");
    all_ways_agree(&program);
    let (all, few) = (
        run(&program, &Options::faithful()).states,
        run(&program, &Options::default()).states,
    );
    assert!(few * 5 < all, "{few} of {all}");
}

/// A process that is made late is a second receiver.
#[test]
fn a_second_user_of_a_channel_may_come_late() {
    let text = "chan c = [2] of { byte }; byte got;
        proctype Late() { byte y; c?y; got = y }
        active proctype In() { c!1; c!2 }
        active proctype Out() { byte x; c?x; run Late(); c?x; assert(got == 0 || x == 1) }";
    let program = read("m.pml", text, &[]).expect("a program");
    all_ways_agree(&program);
}

/// Claims fail where SPIN says so, also those that cannot be evaluated, and runs that show it replay.
fn claim_like_spin(rng: &mut Rng, compared: &mut [u64; 2]) {
    let text = random_claim(rng);
    let Some(program) = read("random.pml", &text, &[]) else {
        panic!("the front-end refuses\n{text}");
    };
    let Some(fails) = claim_fails(&text) else {
        return;
    };
    let claims = [Question::Claim(0)];
    for order in [Order::Breadth, Order::Depth] {
        for options in [Options::faithful(), Options::default()] {
            let options = Options { order, ..options };
            let report = search(&program, &claims, &options, &Context::default());
            replays(&program, &report);
            let ours = is_violated(&report, Question::Claim(0));
            assert_eq!(ours, fails, "{options:?} on\n{text}");
        }
    }
    let looked = suppose_certify::program::exhaustive(&program, claims[0], 20_000, &mut || false);
    match looked {
        Ok(Reexploration::All { .. }) => {
            assert!(!fails, "the checker misses a violation of\n{text}")
        }
        Ok(_) => {}
        Err(rejected) => assert!(fails, "{rejected}\n{text}"),
    }
    compared[usize::from(fails)] += 1;
}

#[test]
fn random_claims_fail_where_spin_says_so() {
    let mut compared = [0; 2];
    for_each_seed(24, |rng| claim_like_spin(rng, &mut compared));
    assert!(compared.iter().all(|n| *n > 0), "{compared:?}");
}

/// `SUPPOSE_CASES` says how many.
#[test]
#[ignore = "takes half a second a program with gcc, and a tenth with tcc"]
fn many_random_claims_fail_where_spin_says_so() {
    let mut compared = [0; 2];
    for_each_seed(500, |rng| claim_like_spin(rng, &mut compared));
    assert!(compared.iter().all(|n| *n > 0), "{compared:?}");
}
