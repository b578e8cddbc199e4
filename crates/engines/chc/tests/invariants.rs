//! Invariants of a fixed form: what they must find, and that what they find is inductive.

mod support;

use support::read;
use suppose_chc::evidence::with_proofs;
use suppose_chc::invariants;
use suppose_control::Context;
use suppose_model::chc::{Clause, Horn, TermId, Terms};
use suppose_testkit::horn::random;
use suppose_testkit::{Rng, for_each_seed};

/// The definitions that the invariants make, without the queries, which they need not exclude.
fn found(horn: &Horn) -> (Horn, Terms, Vec<TermId>) {
    let mut terms = horn.terms.clone();
    let all = invariants::find(horn, &mut terms, &Context::default()).expect("not stopped");
    let definitions = all.into_iter().map(|f| terms.and(f)).collect();
    let mut derives = horn.clone();
    derives.clauses.retain(|c: &Clause| c.head.is_some());
    (derives, terms, definitions)
}

#[test]
fn what_is_found_is_inductive() {
    for_each_seed(300, |rng: &mut Rng| {
        let (horn, terms, definitions) = found(&random(rng, 2));
        let proofs = with_proofs(&horn, &terms, &definitions, &Context::default());
        assert!(proofs.expect("not stopped").is_some());
    });
}

/// Is the query of the clauses excluded by the invariants alone?
fn suffices(text: &str) -> bool {
    let horn = read(text);
    let (_, terms, definitions) = found(&horn);
    let proofs = with_proofs(&horn, &terms, &definitions, &Context::default());
    proofs.expect("not stopped").is_some()
}

fn looped(start: &str, step: &str, wrong: &str) -> String {
    format!(
        "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> {start} (inv x y))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int)) (=> (and (inv x y) {step}) (inv x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) {wrong}) false)))
"
    )
}

#[test]
fn equations_are_found() {
    let start = "(and (= x 0) (= y 7))";
    let step = "(= x1 (+ x 3)) (= y1 (- y 2))";
    assert!(suffices(&looped(
        start,
        step,
        "(not (= (+ (* 2 x) (* 3 y)) 21))"
    )));
    assert!(!suffices(&looped(start, step, "(= x 9)")));
}

#[test]
fn remainders_are_found() {
    let start = "(and (= x 1) (= y 0))";
    let step = "(or (and (= x1 (+ x 6)) (= y1 (+ y 1))) (and (= x1 (- x 4)) (= y1 y)))";
    assert!(suffices(&looped(start, step, "(= (mod x 2) 0)")));
    assert!(!suffices(&looped(start, step, "(= (mod x 4) 3)")));
}

#[test]
fn bounds_are_found() {
    let start = "(and (= x 0) (>= y 0))";
    let step = "(< x y) (= x1 (+ x 1)) (= y1 y)";
    assert!(suffices(&looped(start, step, "(or (< x 0) (> x y))")));
    assert!(!suffices(&looped(start, step, "(> x 5)")));
}
