//! The engine against real SPIN: the same states are stored, and the same verdicts are found.
//!
//! The long mode, with SPIN's verifiers compiled by `tcc` where it is installed:
//! `SUPPOSE_CASES=100000 cargo test --release -p suppose-explicit --test spin -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use suppose_certify::program::invariant;
use suppose_control::Context;
use suppose_explicit::visited::visited;
use suppose_explicit::{ExplicitOptions, Order, Report, SearchVerdict, search};
use suppose_frontends::promela;
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_source::{FileId, ParserLimits, Sources};
use suppose_testkit::promela::claim::program as random_claim;
use suppose_testkit::promela::expected::checks;
use suppose_testkit::promela::spin::{claim_fails, goes_wrong, spin, with_gcc};
use suppose_testkit::promela::{Exchangeable, Shape, program as random_program};
use suppose_testkit::rng::{Rng, for_each_seed, long_run};

/// As SPIN counts with all its reductions off, going on after errors.
fn as_spin() -> ExplicitOptions {
    ExplicitOptions {
        exhaust: true,
        past_assertions: true,
        ..ExplicitOptions::faithful()
    }
}

fn read(name: &str, text: &str, defines: &[(String, i64)]) -> Option<Program> {
    let mut sources = Sources::single(name, text);
    let mut none = |_: &str| Err("there are no other files".to_owned());
    let limits = ParserLimits::default();
    let read = promela::read(FileId(0), &mut sources, &mut none, defines, &limits);
    read.ok().map(|r| r.program)
}

fn run(program: &Program, options: &ExplicitOptions) -> Report {
    let questions = [Question::Assertions, Question::EndStates];
    search(program, &questions, options, &Context::default())
}

fn is_violated(report: &Report, question: Question) -> bool {
    let found = report.verdicts.iter().find(|(q, _)| *q == question);
    match found {
        Some((_, SearchVerdict::Violated(_))) => true,
        Some((_, SearchVerdict::Holds)) => false,
        other => panic!("{other:?}"),
    }
}

fn replays(program: &Program, report: &Report) {
    for (question, found) in &report.verdicts {
        if let SearchVerdict::Violated(trace) = found {
            assert_eq!(trace.question, *question);
            let replayed = replay(program, trace, &Context::default());
            assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}");
        }
    }
}

/// The engine with and without reductions, on both orders: the same verdicts, and runs that replay.
fn all_ways_agree(program: &Program, text: &str) {
    let first = run(program, &ExplicitOptions::faithful());
    replays(program, &first);
    for order in [Order::Breadth, Order::Depth, Order::DepthLast] {
        for (reduction, merge) in [(true, false), (false, true), (true, true)] {
            let options = ExplicitOptions {
                order,
                reduction,
                merge,
                ..ExplicitOptions::default()
            };
            let report = run(program, &options);
            replays(program, &report);
            for question in [Question::Assertions, Question::EndStates] {
                let (one, other) = (
                    is_violated(&first, question),
                    is_violated(&report, question),
                );
                assert_eq!(one, other, "{question:?} with {options:?} on\n{text}");
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
            all_ways_agree(&program, &text);
        }
    }
}

/// Programs with more states are not compared.
const MOST_STATES: u64 = 20_000;

/// The program, if it is small enough to be searched in all ways.
fn small(text: &str) -> Option<Program> {
    let Some(program) = read("random.pml", text, &[]) else {
        panic!("the front-end refuses\n{text}");
    };
    let cx = Context::default().with_state_limit(MOST_STATES);
    let questions = [Question::Assertions, Question::EndStates];
    let whole = search(&program, &questions, &as_spin(), &cx).complete;
    whole.then_some(program)
}

/// What became of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Compared {
    Agree {
        violated: bool,
    },
    TooLarge,
    /// SPIN does not take the program, does not end, or reports an error behind which its search means little.
    NotBySpin,
}

fn same_as_spin(text: &str) -> Compared {
    let Some(program) = small(text) else {
        return Compared::TooLarge;
    };
    all_ways_agree(&program, text);
    let Some(said) = spin(text).filter(|s| s.clean) else {
        return Compared::NotBySpin;
    };
    let report = run(&program, &as_spin());
    assert_eq!(report.states, said.states, "states of\n{text}");
    let theirs = [said.assertion, said.end_state];
    for options in [as_spin(), ExplicitOptions::default()] {
        let report = run(&program, &options);
        let ours = [Question::Assertions, Question::EndStates].map(|q| is_violated(&report, q));
        assert_eq!(ours, theirs, "verdicts of\n{text}");
    }
    Compared::Agree {
        violated: theirs.contains(&true),
    }
}

fn agrees(text: &str) -> bool {
    matches!(same_as_spin(text), Compared::Agree { .. })
}

/// Programs in which any statement may go wrong: SPIN's search up to its first error finds one if ours does.
fn goes_wrong_as_in_spin(text: &str, exclusive: bool) -> Compared {
    let Some(program) = small(text) else {
        return Compared::TooLarge;
    };
    all_ways_agree(&program, text);
    let Some(wrong) = goes_wrong(text, exclusive) else {
        return Compared::NotBySpin;
    };
    let report = run(&program, &ExplicitOptions::default());
    let ours = [Question::Assertions, Question::EndStates].map(|q| is_violated(&report, q));
    assert_eq!(ours.contains(&true), wrong, "{ours:?} on\n{text}");
    Compared::Agree { violated: wrong }
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
    assert!(agrees(text));
}

#[test]
fn end_states_are_found_behind_assertions_that_fail() {
    let text = "byte x;
        active proctype P() { atomic { assert(x == 1); x = 2 }; assert(x == 3); x == 1 }
        active proctype Q() { do :: x < 2 -> x = 0 :: x == 2 -> break od }";
    assert!(agrees(text));
    let report = run(
        &read("m.pml", text, &[]).unwrap(),
        &ExplicitOptions::default(),
    );
    assert!(is_violated(&report, Question::EndStates));
}

/// SPIN offers the rendezvous, and runs the `d_step` before anybody has received. So it does not see that the sender has to wait
/// inside its atomic sequence, and misses one of the eight states.
#[test]
fn a_d_step_that_begins_with_printf_or_assert_does_not_run_during_a_rendezvous() {
    let text = |first: &str| {
        format!(
            "chan c = [0] of {{ byte }};
            active proctype P() {{ atomic {{ true; c!1 }} }}
            active proctype Q() {{
                byte x;
                do :: d_step {{ {first}; assert(x == 1) }} :: true -> x = 1 od
            }}"
        )
    };
    assert!(agrees(&text("skip")));
    for first in ["printf(\"x\")", "assert(x <= 1)"] {
        let program = read("m.pml", &text(first), &[]).expect("a program");
        assert_eq!(run(&program, &as_spin()).states, 8);
        let said = spin(&text(first)).expect("an answer of SPIN");
        assert_eq!(said.states, 7);
    }
}

/// What a random program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// States and verdicts of programs whose statements do not go wrong.
    States,
    /// Programs that exchange many messages.
    Messages,
    /// Programs with errors of the run.
    Errors,
    /// Programs with `xr` and `xs`.
    Exclusive,
    /// Claims.
    Claims,
    /// Programs whose processes can be exchanged, searched up to that.
    Exchange,
}

const KINDS: [Kind; 6] = [
    Kind::States,
    Kind::Messages,
    Kind::Errors,
    Kind::Exclusive,
    Kind::Claims,
    Kind::Exchange,
];

fn compare(kind: Kind, rng: &mut Rng) -> Compared {
    match kind {
        Kind::States => same_as_spin(&random_program(rng, &Shape::without_errors())),
        Kind::Messages => same_as_spin(&random_program(rng, &Shape::messages())),
        Kind::Errors => goes_wrong_as_in_spin(&random_program(rng, &Shape::with_errors()), false),
        Kind::Exclusive => goes_wrong_as_in_spin(&random_program(rng, &Shape::exclusive()), true),
        Kind::Claims => claim_like_spin(&random_claim(rng)),
        Kind::Exchange => {
            let text = Exchangeable::random(rng).text(2 + rng.below(2));
            goes_wrong_as_in_spin(&text, false)
        }
    }
}

/// Both verdicts occur among programs of a kind.
fn both_verdicts(kind: Kind, count: u64) {
    let mut seen = BTreeMap::new();
    for_each_seed(count, |rng| {
        *seen.entry(compare(kind, rng)).or_insert(0) += 1
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        for violated in [false, true] {
            assert!(seen.contains_key(&Compared::Agree { violated }), "{seen:?}");
        }
    }
}

#[test]
fn random_programs_have_the_states_that_spin_stores() {
    both_verdicts(Kind::States, 24);
}

#[test]
fn random_programs_go_wrong_where_spin_says_so() {
    both_verdicts(Kind::Errors, 12);
}

#[test]
fn random_programs_keep_xr_and_xs_where_spin_says_so() {
    both_verdicts(Kind::Exclusive, 16);
}

#[test]
fn random_claims_fail_where_spin_says_so() {
    both_verdicts(Kind::Claims, 24);
}

#[test]
fn programs_whose_processes_are_exchanged_go_wrong_where_spin_says_so() {
    both_verdicts(Kind::Exchange, 16);
}

/// All kinds in turn.
#[test]
#[ignore = "long: 100,000 programs, or as many as SUPPOSE_CASES says"]
fn a_hundred_thousand_random_programs_mean_what_spin_says() {
    let counts = Mutex::new(BTreeMap::new());
    long_run(1_000_000, 100_000, |seed, rng| {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        let first = catch_unwind(AssertUnwindSafe(|| compare(kind, &mut rng.clone())));
        let compared = first.unwrap_or_else(|_| with_gcc(|| compare(kind, rng)));
        let mut counts = counts.lock().expect("no panic there");
        *counts.entry((kind, compared)).or_insert(0) += 1;
    });
    for ((kind, compared), count) in counts.into_inner().expect("no panic there") {
        println!("{kind:?} {compared:?}: {count}");
    }
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
            all_ways_agree(&program, &text);
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
    let text = &format!("{channels}{stages}{ends}");
    let program = read("m.pml", text, &[]).expect("a program");
    all_ways_agree(&program, text);
    let (all, few) = (
        run(&program, &ExplicitOptions::faithful()).states,
        run(&program, &ExplicitOptions::default()).states,
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
    all_ways_agree(&program, text);
}

/// Claims fail where SPIN says so, also those that cannot be evaluated, and runs that show it replay.
fn claim_like_spin(text: &str) -> Compared {
    let Some(program) = small(text) else {
        return Compared::TooLarge;
    };
    let Some(fails) = claim_fails(text) else {
        return Compared::NotBySpin;
    };
    let claims = [Question::Claim(0)];
    for order in [Order::Breadth, Order::Depth] {
        for options in [ExplicitOptions::faithful(), ExplicitOptions::default()] {
            let options = ExplicitOptions { order, ..options };
            let report = search(&program, &claims, &options, &Context::default());
            replays(&program, &report);
            let ours = is_violated(&report, Question::Claim(0));
            assert_eq!(ours, fails, "{options:?} on\n{text}");
        }
    }
    let cx = Context::default().with_state_limit(20_000);
    if let Ok(states) = visited(&program, claims[0], &cx) {
        let checked = invariant(&program, &claims, &states, 1, &Context::default());
        assert_eq!(checked.is_err(), fails, "{checked:?}\n{text}");
    }
    Compared::Agree { violated: fails }
}
