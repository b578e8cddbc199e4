//! The examples of the thesis (chapters 1 to 3).

mod support;

use support::{judged, levels, read};
use suppose_chc::abstraction::{self, AbstractionKind, Bounds};
use suppose_chc::recmc::{self, RecmcOptions};
use suppose_chc::{ChcVerdict, Work};
use suppose_control::Context;
use suppose_model::Reason;

fn plain() -> RecmcOptions {
    RecmcOptions {
        invariants: false,
        ..RecmcOptions::default()
    }
}

/// Fig. 2.3: M calls T and then D twice; T is recursive.
const PROCEDURES: &str = "(set-logic HORN)
(declare-fun T (Int Int) Bool)
(declare-fun D (Int Int) Bool)
(declare-fun M (Int Int) Bool)
(assert (forall ((d0 Int) (d Int)) (=> (= d (- d0 1)) (D d0 d))))
(assert (forall ((t0 Int) (t Int)) (=> (and (<= t0 0) (= t t0)) (T t0 t))))
(assert (forall ((t0 Int) (t Int) (a Int) (b Int)) (=> (and (> t0 0) (= a (- t0 2)) (T a b) (= t (+ b 1))) (T t0 t))))
(assert (forall ((m0 Int) (m Int) (a Int) (b Int)) (=> (and (T m0 a) (D a b) (D b m)) (M m0 m))))
(assert (forall ((m0 Int) (m Int)) (=> (and (M m0 m) (not PROPERTY)) false)))
";

#[test]
fn the_summaries_of_the_worked_example_are_found_or_better_ones() {
    let horn = read(&PROCEDURES.replace("PROPERTY", "(>= m0 (+ (* 2 m) 4))"));
    for options in [plain(), RecmcOptions::default()] {
        let (found, _) = recmc::solve(&horn, options, &Context::default());
        assert_eq!(judged(&horn, &found), Some(true));
        // t0 >= 2t and d <= d0 - 1 follow from the definitions of T and D.
        let ChcVerdict::Holds { terms, definitions } = &found else {
            unreachable!("it was judged to hold");
        };
        for (pred, sum, constant) in [(0, 2, 0), (1, 1, 1)] {
            let mut terms = (**terms).clone();
            let formals = &horn.predicates[pred].formals;
            let (from, to) = (formals[0], formals[1]);
            let lin = suppose_model::chc::Lin::var(to)
                .scale(&suppose_number::Int::from(sum))
                .sub(&suppose_model::chc::Lin::var(from))
                .plus(constant);
            let published = terms.le(lin);
            let not = terms.not(published);
            let both = terms.and([definitions[pred], not]);
            let proof = suppose_smt::prove(&mut terms, both, &Context::default());
            assert!(proof.expect("not stopped").is_some(), "predicate {pred}");
        }
    }
}

#[test]
fn a_property_that_the_worked_example_does_not_have_is_violated() {
    let horn = read(&PROCEDURES.replace("PROPERTY", "(>= m0 (+ (* 2 m) 5))"));
    let (found, _) = recmc::solve(&horn, plain(), &Context::default());
    assert_eq!(judged(&horn, &found), Some(false));
}

fn levels_work(n: usize, safe: bool) -> Work {
    let horn = read(&levels(n, safe));
    let (found, work) = recmc::solve(&horn, plain(), &Context::default());
    assert_eq!(judged(&horn, &found), Some(safe), "{n} levels");
    work
}

#[test]
fn exponentially_many_calls_take_polynomial_work() {
    for safe in [true, false] {
        let queries: Vec<u64> = [5, 10, 20, 40]
            .map(|n| levels_work(n, safe).queries)
            .to_vec();
        // Twice the levels, at most eight times the questions: a cubic polynomial would do no better.
        for pair in queries.windows(2) {
            assert!(
                pair[1] <= 8 * pair[0],
                "safe: {safe}, questions: {queries:?}"
            );
        }
    }
}

/// Appendix 2.A: with model values as queries the over-approximations of L diverge already at a bounded depth.
const DIVERGING: &str = "(set-logic HORN)
(declare-fun L (Int Int Int Int) Bool)
(declare-fun G (Int Int) Bool)
(assert (forall ((x Int) (y Int) (i Int) (n Int)) (=> (and (= i 0) (= x 0) (= y 0)) (L x y i n))))
(assert (forall ((x Int) (y Int) (i Int) (n Int) (x0 Int) (y0 Int) (i0 Int))
  (=> (and (L x0 y0 i0 n) (= x (+ x0 1)) (= y (+ y0 1)) (= i (+ i0 1)) (> i 0)) (L x y i n))))
(assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (G x y))))
(assert (forall ((x Int) (y Int) (y0 Int) (n Int))
  (=> (and (L x y0 n n) (G x y) (> n 0) (not (<= y0 y))) false)))
";

#[test]
fn gpdr_diverges_where_recmc_does_not() {
    let horn = read(DIVERGING);
    let unguided = RecmcOptions {
        guidance: false,
        ..plain()
    };
    let (found, work) = recmc::solve(&horn, unguided, &Context::default());
    assert_eq!(judged(&horn, &found), Some(true));
    let cx = Context::default().with_work(30_000);
    let (found, lost) = recmc::solve(&horn, RecmcOptions::gpdr(), &cx);
    let ChcVerdict::Unknown { reason, .. } = &found else {
        panic!("it ended: {lost:?}");
    };
    assert_eq!(*reason, Reason::Timeout);
    assert!(lost.queries > 20 * work.queries, "{lost:?} {work:?}");
}

/// Fig. 3.1.
const GCNR: &str = "(set-logic HORN)
(declare-fun inv (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (= x 0) (= y 0) (= z 0) (= w 0)) (inv x y z w))))
(assert (forall ((x Int) (y Int) (z Int) (w Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int) (t Int))
  (=> (and (inv x y z w)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 4) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (< x 4) (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y)))
               (and (= x1 x) (= y1 y)))
           (= t 1) (= w1 (+ w t)) (= z1 (+ z (* 10 t))))
      (inv x1 y1 z1 w1))))
(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (inv x y z w) (>= x 4) (<= y 2)) false)))
";

#[test]
fn the_program_that_is_hard_without_abstraction_is_proved() {
    let horn = read(GCNR);
    let (found, _) = recmc::solve(&horn, RecmcOptions::default(), &Context::default());
    assert_eq!(judged(&horn, &found), Some(true));
}

/// Fig. 3.3, the simplification without `t`, with counter and bound left to the engine.
const SIMPLER: &str = "(set-logic HORN)
(declare-fun inv (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (= x 0) (= y 0) (= z 0) (= w 0)) (inv x y z w))))
(assert (forall ((x Int) (y Int) (z Int) (w Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int))
  (=> (and (inv x y z w)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 4) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y))))
           (= w1 (+ w 1)) (= z1 (+ z 10)))
      (inv x1 y1 z1 w1))))
(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (inv x y z w) (>= x 4) (<= y 2)) false)))
";

fn by_abstraction(text: &str, bounds: Bounds) -> abstraction::Course {
    let horn = read(text);
    let cx = Context::default();
    let (found, _, course) =
        abstraction::solve_by(&horn, AbstractionKind::Constraints, bounds, plain(), &cx);
    assert_eq!(judged(&horn, &found), Some(true), "{bounds:?}");
    course
}

#[test]
fn the_simpler_program_is_proved_by_abstraction_with_loop_counters() {
    let course = by_abstraction(SIMPLER, Bounds::Counters);
    assert!(course.kept < course.pieces, "{course:?}");
}

#[test]
fn the_simpler_program_is_proved_by_abstraction_with_a_bound_on_depth() {
    let course = by_abstraction(SIMPLER, Bounds::Depth);
    assert!(course.kept < course.pieces, "{course:?}");
}

#[test]
fn the_hard_program_is_proved_by_abstraction_with_loop_counters() {
    let course = by_abstraction(GCNR, Bounds::Counters);
    assert!(course.kept < course.pieces, "{course:?}");
}

#[test]
fn the_hard_program_is_proved_by_abstraction_with_a_bound_on_depth() {
    let course = by_abstraction(GCNR, Bounds::Depth);
    assert!(course.kept < course.pieces, "{course:?}");
}

/// Fig. 3.10: two loops, one in the other. The inner one goes up by two, the outer one counts.
#[test]
fn loop_counters_decide_a_nested_loop() {
    let text = |query: &str| {
        read(&format!(
            "(set-logic HORN)
(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int) Bool)
(declare-fun after (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (outer x y))))
(assert (forall ((x Int) (y Int)) (=> (outer x y) (inner x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inner x y) (= z (+ y 2))) (inner x z))))
(assert (forall ((x Int) (y Int)) (=> (inner x y) (after x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (after x y) (= z (+ x 1))) (outer z y))))
(assert (forall ((x Int) (y Int)) (=> (and (outer x y) {query}) false)))
"
        ))
    };
    for (query, holds) in [
        ("(< (+ x y) 0)", true),
        ("(and (= x 2) (= y 4))", false),
        ("(and (= x 0) (= y 2))", true),
    ] {
        let horn = text(query);
        for kind in [AbstractionKind::Constraints, AbstractionKind::Variables] {
            let (found, _, _) =
                abstraction::solve_by(&horn, kind, Bounds::Counters, plain(), &Context::default());
            assert_eq!(judged(&horn, &found), Some(holds), "{query} {kind:?}");
        }
    }
}

#[test]
fn abstraction_keeps_only_what_the_proof_needs() {
    let horn = read(
        "(set-logic HORN)
(declare-fun inv (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (= x 0) (= y 0) (= z 5)) (inv x y z))))
(assert (forall ((x Int) (y Int) (z Int) (x1 Int) (y1 Int) (z1 Int))
  (=> (and (inv x y z) (= x1 (+ x 1)) (= y1 (+ y x1)) (= z1 (+ z y))) (inv x1 y1 z1))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (inv x y z) (< x 0)) false)))
",
    );
    let (found, _, course) = abstraction::solve(
        &horn,
        AbstractionKind::Constraints,
        plain(),
        &Context::default(),
    );
    assert_eq!(judged(&horn, &found), Some(true));
    assert!(course.kept < course.pieces, "{course:?}");
}
