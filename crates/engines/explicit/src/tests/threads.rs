//! Several threads find what one does, state for state. In tests they take over after a few dozen states, and runs are short.

use super::generate;
use crate::{ExplicitOptions, Report, SearchVerdict, search};
use suppose_control::Context;
use suppose_model::program::{Program, Question};
use suppose_testkit::promela::Exchangeable;
use suppose_testkit::promela::{self, Shape};
use suppose_testkit::rng::{Rng, for_each_seed};

fn choices() -> Vec<ExplicitOptions> {
    let mut choices = Vec::new();
    for bits in 0..16 {
        choices.push(ExplicitOptions {
            reduction: bits & 1 != 0,
            merge: bits & 2 != 0,
            exhaust: bits & 4 != 0,
            past_assertions: bits & 8 != 0,
            ..ExplicitOptions::default()
        });
    }
    choices.push(ExplicitOptions {
        first: true,
        ..ExplicitOptions::default()
    });
    choices
}

/// Did several threads take over, and did they go on to the end?
#[derive(Default)]
struct Seen {
    large: u32,
    violated: u32,
    limited: u32,
}

fn report(program: &Program, options: &ExplicitOptions, limit: u64) -> Report {
    let mut questions = vec![Question::Assertions, Question::EndStates];
    questions.extend((0..program.claims.len()).map(Question::Claim));
    questions.retain(|q| !program.is_liveness(*q));
    let cx = Context::default().with_state_limit(limit);
    let report = search(program, &questions, options, &cx);
    Report {
        memory: 0,
        threads: 0,
        ..report
    }
}

fn same_on_threads(program: &Program, rng: &mut Rng, seen: &mut Seen) {
    let all = choices();
    let options = all[rng.below(all.len())];
    let limit = [300, 3_000, 6_000][rng.below(3)];
    let one = report(program, &options, limit);
    for threads in [2, 3] {
        let options = ExplicitOptions { threads, ..options };
        assert_eq!(report(program, &options, limit), one, "{options:?}");
    }
    let violated =
        |(_, found): &(Question, SearchVerdict)| matches!(found, SearchVerdict::Violated(_));
    seen.large += u32::from(one.complete && one.states > 200);
    seen.violated += u32::from(one.states > 200 && one.verdicts.iter().any(violated));
    seen.limited += u32::from(!one.complete && one.states >= limit);
}

fn read(text: &str) -> Program {
    let read = suppose_frontends::promela::read_text("random.pml", text);
    read.unwrap_or_else(|_| panic!("the front-end refuses\n{text}"))
        .0
        .program
}

#[test]
fn threads_change_nothing_on_random_programs() {
    let mut seen = Seen::default();
    for_each_seed(250, |rng| {
        same_on_threads(&generate::program(rng), rng, &mut seen);
    });
    for shape in [
        Shape::without_errors(),
        Shape::with_errors(),
        Shape::messages(),
        Shape::exclusive(),
    ] {
        for_each_seed(40, |rng| {
            let program = read(&promela::program(rng, &shape));
            same_on_threads(&program, rng, &mut seen);
        });
    }
    for_each_seed(60, |rng| {
        same_on_threads(&read(&promela::claim::program(rng)), rng, &mut seen)
    });
    if std::env::var_os("SUPPOSE_SEED").is_none() {
        let Seen {
            large,
            violated,
            limited,
        } = seen;
        assert!(
            large > 10 && violated > 10 && limited > 10,
            "{large} {violated} {limited}"
        );
    }
}

#[test]
fn threads_change_nothing_where_processes_are_exchanged() {
    let mut seen = Seen::default();
    for_each_seed(60, |rng| {
        same_on_threads(&read(&Exchangeable::random(rng).text(3)), rng, &mut seen);
    });
}

/// Every third state needs a configuration that nobody has compiled yet.
#[test]
fn threads_change_nothing_where_processes_come_and_go() {
    let text = "byte n; byte x;
        proctype Child(byte a; byte b) { x = a; x = b; n-- }
        active proctype P() {
            byte i;
            do
            :: n < 3 -> atomic { n++; run Child(i, n) }
            :: i < 40 -> i++
            :: x > 38 -> break
            od
        }";
    let program = read(text);
    for reduction in [false, true] {
        let options = ExplicitOptions {
            reduction,
            ..ExplicitOptions::default()
        };
        let one = report(&program, &options, 40_000);
        assert!(one.states > 5_000);
        let options = ExplicitOptions {
            threads: 2,
            ..options
        };
        assert_eq!(report(&program, &options, 40_000), one);
    }
}
