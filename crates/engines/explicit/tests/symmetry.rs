//! The search up to exchanging processes against the search of all states.

use suppose_control::Context;
use suppose_explicit::{ExplicitOptions, Order, Report, SearchVerdict, search};
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_testkit::promela::Exchangeable;
use suppose_testkit::rng::for_each_seed;

mod support;
use support::read;

/// Too many states for a random program.
const MOST: u64 = 60_000;

fn run(program: &Program, questions: &[Question], options: &ExplicitOptions) -> Report {
    let cx = Context::default().with_state_limit(MOST);
    search(program, questions, options, &cx)
}

fn verdicts(report: &Report) -> Vec<&'static str> {
    let words = report.verdicts.iter().map(|(_, found)| match found {
        SearchVerdict::Holds => "holds",
        SearchVerdict::Violated(_) => "violated",
        SearchVerdict::Likely(_) | SearchVerdict::Unknown(_) => "unknown",
    });
    words.collect()
}

/// All ways of searching with symmetry.
fn ways() -> Vec<ExplicitOptions> {
    let mut ways = Vec::new();
    for order in [Order::Breadth, Order::Depth, Order::DepthLast] {
        for reduction in [false, true] {
            ways.push(ExplicitOptions {
                order,
                reduction,
                ..ExplicitOptions::default()
            });
        }
    }
    ways
}

/// Compares all ways with the search of all states; whether any was with symmetry.
fn compare(text: &str, questions: &[Question], exchanged: &mut u64, fewer: &mut u64) {
    let program = read(text);
    let all = run(&program, questions, &ExplicitOptions::faithful());
    if verdicts(&all).contains(&"unknown") {
        return;
    }
    for options in ways() {
        let report = run(&program, questions, &options);
        assert_eq!(verdicts(&report), verdicts(&all), "{options:?}\n{text}");
        for (_, found) in &report.verdicts {
            if let SearchVerdict::Violated(trace) = found {
                let replayed = replay(&program, trace, &Context::default());
                assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}\n{text}");
            }
        }
        *exchanged += u64::from(report.symmetry.is_some());
        let plain = ExplicitOptions {
            symmetry: false,
            ..options
        };
        let plain = run(&program, questions, &plain);
        *fewer += u64::from(report.states < plain.states);
        let ended = verdicts(&report).contains(&"violated");
        assert!(
            ended || report.states <= plain.states,
            "{options:?}\n{text}"
        );
    }
}

#[test]
fn verdicts_are_those_of_all_states() {
    let (mut exchanged, mut fewer) = (0, 0);
    let cases = std::env::var("SUPPOSE_CASES").ok();
    let cases = cases.and_then(|c| c.parse().ok()).unwrap_or(150);
    for_each_seed(cases, |rng| {
        let program = Exchangeable::random(rng);
        let count = 2 + rng.below(3);
        let questions = [Question::Assertions, Question::EndStates];
        compare(&program.text(count), &questions, &mut exchanged, &mut fewer);
        let program = program.with_claim(rng);
        let questions = [Question::Claim(0)];
        compare(&program.text(count), &questions, &mut exchanged, &mut fewer);
    });
    assert!(exchanged > 300 && fewer > 200, "{exchanged} {fewer}");
}

/// Breadth-first without partial-order reduction: counterexamples are as short as without symmetry.
#[test]
fn shortest_runs_stay_shortest() {
    let mut compared = 0;
    for_each_seed(150, |rng| {
        let text = Exchangeable::random(rng).text(3);
        let program = read(&text);
        let with = ExplicitOptions {
            reduction: false,
            ..ExplicitOptions::default()
        };
        let without = ExplicitOptions {
            symmetry: false,
            ..with
        };
        // Local steps are merged, so the distance is counted in stored states.
        let (ours, theirs) = [with, without]
            .map(|options| run(&program, &[Question::Assertions], &options))
            .into();
        if ours.symmetry.is_some() && verdicts(&ours) == ["violated"] {
            assert_eq!(ours.depth, theirs.depth, "{text}");
            compared += 1;
        }
    });
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_ticket_lock_has_few_orbits() {
    let text = |count: usize| {
        format!(
            "byte next; byte now; byte inside;\n\
             active [{count}] proctype P() {{ byte mine;\n\
             do :: atomic {{ mine = next; next = (next + 1) % {} }}; (now == mine); inside++; assert(inside == 1); inside--; now = (now + 1) % {} od }}",
            count + 1,
            count + 1
        )
    };
    let questions = [Question::Assertions, Question::EndStates];
    let states = |count: usize, symmetry: bool| {
        let options = ExplicitOptions {
            symmetry,
            ..ExplicitOptions::default()
        };
        let report = search(
            &read(&text(count)),
            &questions,
            &options,
            &Context::default(),
        );
        assert_eq!(verdicts(&report), ["holds", "holds"]);
        report.states
    };
    // A ticket lock has a queue, in as many orders as there are: 5! here.
    assert!(states(5, true) * 24 < states(5, false));
    assert!(states(9, true) < 2_000);
}

#[test]
fn processes_that_are_told_apart_are_not_exchanged() {
    for body in [
        "(x < _pid) -> x = _pid",
        "(_pid == 1) -> x = 1",
        "x = _nr_pr",
        "(P[0]@here) -> x = 1",
        "(P[0]:y == 1) -> x = 1",
        "x = x + _pid",
    ] {
        let text = format!("byte x; active [3] proctype P() {{ byte y; here: do :: {body} od }}");
        let report = run(
            &read(&text),
            &[Question::Assertions],
            &ExplicitOptions::default(),
        );
        assert_eq!(report.symmetry, None, "{body}");
    }
}

/// A process that ends can only do so after the younger ones; runs to a stop include these ends.
#[test]
fn ends_of_processes_are_added_to_runs() {
    let text = "bool taken; active [3] proctype P() { atomic { !taken -> taken = true } }";
    let program = read(text);
    let report = run(
        &program,
        &[Question::EndStates],
        &ExplicitOptions::default(),
    );
    assert!(report.symmetry.is_some());
    let SearchVerdict::Violated(trace) = &report.verdicts[0].1 else {
        panic!("{report:?}");
    };
    replay(&program, trace, &Context::default()).unwrap();
}
