//! Proofs by views against a look at all states, on random programs.

use suppose_certify::views::views;
use suppose_control::Context;
use suppose_local::{LocalOptions, ViewVerdict, check};
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_testkit::Rng;
use suppose_testkit::promela::{Exchangeable, Shape, claim, program};
use suppose_testkit::rng::for_each_seed;

mod support;
use support::{naive, questions, read, violation};

const SMALL: LocalOptions = LocalOptions {
    views: 3_000,
    rounds: 1,
    search: 300,
};

#[derive(Default, Debug)]
struct Count {
    proofs: u64,
    violations: u64,
    contradicted: u64,
}

fn agrees(text: &str, program: &Program, question: Question, count: &mut Count) {
    let cx = Context::default().with_work(200_000);
    let search = |question, cx: &Context| violation(program, question, cx);
    let report = check(program, question, &SMALL, &search, &cx);
    match report.found {
        ViewVerdict::Holds(proof) => {
            count.proofs += 1;
            let accepted = views(program, &proof, &Context::default());
            assert!(accepted.is_ok(), "{accepted:?}\n{text}");
            if naive(program, question, 3_000) == Some(false) {
                count.contradicted += 1;
                panic!("{question:?} is wrongly proved:\n{text}");
            }
        }
        ViewVerdict::Violated(trace) => {
            count.violations += 1;
            assert!(
                replay(program, &trace, &Context::default()).is_ok(),
                "{text}"
            );
        }
        ViewVerdict::Unknown(_) => {}
    }
}

#[test]
fn no_proof_is_contradicted() {
    let mut count = Count::default();
    let small = Shape {
        processes: (2, 4),
        statements: (4, 9),
        asserts: 15,
        remote: 8,
        arrays: 40,
        pid: 20,
        ..Shape::default()
    };
    let wild = Shape {
        processes: (2, 4),
        remote: 25,
        nr_pr: 10,
        provided: 20,
        timeout: 15,
        unless: 15,
        exclusive: 15,
        handles: 15,
        asserts: 15,
        ..Shape::default()
    };
    let shapes = [
        small,
        Shape::messages(),
        Shape::plain(),
        Shape::default(),
        wild,
    ];
    for_each_seed(500, |rng| {
        let shape = &shapes[rng.below(5)];
        let text = program(rng, shape);
        let program = read(&text);
        for question in questions(&program) {
            agrees(&text, &program, question, &mut count);
        }
    });
    assert!(count.proofs > 100 && count.violations > 50, "{count:?}");
}

#[test]
fn no_proof_of_a_claim_is_contradicted() {
    let mut count = Count::default();
    for_each_seed(300, |rng| {
        let text = claim::program(rng);
        let program = read(&text);
        for question in questions(&program) {
            agrees(&text, &program, question, &mut count);
        }
    });
    assert!(count.proofs > 50 && count.violations > 30, "{count:?}");
}

/// A process that asks what another one can do, and changes its priority.
const ASKS: &str = "
active proctype Asks() priority 2 {
    byte z;
    if
    :: enabled(0) -> z = 1
    :: timeout -> z = 2
    :: else -> z = 3
    fi;
    set_priority(0, z);
    assert(get_priority(0) == z && z != UNLIKELY)
}
";

#[test]
fn no_proof_with_priorities_is_contradicted() {
    let mut count = Count::default();
    let shape = Shape {
        processes: (1, 3),
        statements: (3, 6),
        init: 0,
        // SPIN has no priorities in programs with a rendezvous.
        rendezvous: 0,
        asserts: 10,
        ..Shape::default()
    };
    for_each_seed(100, |rng| {
        let unlikely = format!("#define UNLIKELY {}\n", rng.below(5));
        let text = format!("{unlikely}{}{ASKS}", program(rng, &shape));
        let program = read(&text);
        for question in questions(&program) {
            agrees(&text, &program, question, &mut count);
        }
    });
    assert!(count.proofs > 5 && count.violations > 5, "{count:?}");
}

/// Processes of one proctype that do not know each other: what is proved for any number holds for each.
#[test]
fn no_proof_for_any_number_is_contradicted() {
    let mut count = Count::default();
    let mut for_any = 0;
    for_each_seed(80, |rng| {
        let step = |rng: &mut Rng| {
            let all = [
                "atomic { !lock -> lock = true }",
                "lock = false",
                "x++",
                "x--",
                "free > 0 -> free--",
                "atomic { free > 0 -> free-- }",
                "free++",
                "c!x",
                "c?y",
                "mine[_pid] = !mine[_pid]",
                "(mine[_pid]) -> x = 0",
                "assert(x <= 1)",
                "assert(free <= 2)",
                "assert(lock)",
            ];
            all[rng.below(all.len())]
        };
        let steps: Vec<&str> = (0..2 + rng.below(5)).map(|_| step(rng)).collect();
        let text = |count: usize| {
            let body = steps.join("; ");
            format!(
                "bool lock; byte x; byte free = 1; chan c = [{}] of {{ byte }}; bool mine[7];\n\
                 active proctype Q() {{ byte v; end: do :: c?v -> assert(v < 3) :: lock -> x = 0 od }}\n\
                 active [{count}] proctype P() {{ byte y; do :: {body} od }}\n",
                steps.len() % 2
            )
        };
        let whole = read(&text(6));
        let cx = Context::default().with_work(50_000);
        let search = |question, cx: &Context| violation(&whole, question, cx);
        let report = check(&whole, Question::Assertions, &SMALL, &search, &cx);
        let ViewVerdict::Holds(proof) = report.found else {
            return;
        };
        let accepted = views(&whole, &proof, &Context::default());
        assert!(accepted.is_ok(), "{accepted:?}\n{}", text(6));
        for_any += u64::from(proof.for_any);
        for number in [1, 2, 3] {
            let program = read(&text(number));
            count.proofs += 1;
            let searched = naive(&program, Question::Assertions, 3_000);
            assert_ne!(searched, Some(false), "{number}: {}", text(number));
        }
    });
    assert!(for_any > 3, "{for_any} {count:?}");
}

/// Processes that can be exchanged and speak of each other: they hold numbers of processes, with 0 or with 255 for nobody.
#[test]
fn no_proof_up_to_exchanging_is_contradicted() {
    let mut count = Count::default();
    let (mut alike, mut for_any) = (0, 0);
    let cases = std::env::var("SUPPOSE_CASES").ok();
    let cases = cases.and_then(|c| c.parse().ok()).unwrap_or(150);
    for_each_seed(cases, |rng| {
        let program = Exchangeable::random(rng);
        let text = |count: usize| program.text(count);
        for number in [2, 3, 6] {
            let whole = read(&text(number));
            let cx = Context::default().with_work(100_000);
            let search = |question, cx: &Context| violation(&whole, question, cx);
            let report = check(&whole, Question::Assertions, &SMALL, &search, &cx);
            let ViewVerdict::Holds(proof) = report.found else {
                continue;
            };
            count.proofs += 1;
            alike += u64::from(proof.symmetry.is_some());
            for_any += u64::from(proof.for_any);
            let accepted = views(&whole, &proof, &Context::default());
            assert!(accepted.is_ok(), "{accepted:?}\n{}", text(number));
            let others = if proof.for_any {
                vec![2, 3, 4]
            } else {
                vec![number]
            };
            for other in others {
                let searched = naive(&read(&text(other)), Question::Assertions, 5_000);
                assert_ne!(searched, Some(false), "{number}, {other}: {}", text(other));
            }
        }
    });
    assert!(alike > 30 && for_any > 10, "{alike} {for_any} {count:?}");
}
