//! Proofs by views against a look at all states, on random programs.

use suppose_certify::views::views;
use suppose_control::Context;
use suppose_local::{Found, Options, check};
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_testkit::promela::{Shape, claim, program};
use suppose_testkit::rng::for_each_seed;

mod support;
use support::{naive, questions, read, violation};

const SMALL: Options = Options {
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
        Found::Holds(proof) => {
            count.proofs += 1;
            let accepted = views(program, &proof, &Context::default());
            assert!(accepted.is_ok(), "{accepted:?}\n{text}");
            if naive(program, question, 3_000) == Some(false) {
                count.contradicted += 1;
                panic!("{question:?} is wrongly proved:\n{text}");
            }
        }
        Found::Violated(trace) => {
            count.violations += 1;
            assert!(replay(program, &trace).is_ok(), "{text}");
        }
        Found::Unknown(_) => {}
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
    let shapes = [small, Shape::messages(), Shape::plain(), Shape::default()];
    for_each_seed(500, |rng| {
        let shape = &shapes[rng.below(4)];
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
