//! All engines on random systems: verdicts as those found by trying all values, and evidence that is accepted.

mod support;

use std::time::Duration;

use support::judged;
use suppose_chc::abstraction::{self, AbstractionKind, Bounds};
use suppose_chc::recmc::{self, Order, Projection, RecmcOptions};
use suppose_chc::{ChcVerdict, bmc, induction};
use suppose_control::Context;
use suppose_model::chc::Horn;
use suppose_smt::pipe::{Choice, Tool};
use suppose_testkit::horn::{derive, random, widest};
use suppose_testkit::{Rng, for_each_seed, installed};

const SIZE: i64 = 1;

fn variants() -> Vec<(&'static str, RecmcOptions)> {
    let plain = RecmcOptions {
        invariants: false,
        ..RecmcOptions::default()
    };
    vec![
        ("default", RecmcOptions::default()),
        ("plain", plain),
        (
            "top-down",
            RecmcOptions {
                order: Order::TopDown,
                ..plain
            },
        ),
        (
            "cores",
            RecmcOptions {
                interpolation: false,
                ..plain
            },
        ),
        (
            "concretise",
            RecmcOptions {
                concretise: true,
                ..plain
            },
        ),
        ("gpdr", RecmcOptions::gpdr()),
        (
            "values",
            RecmcOptions {
                projection: Projection::Values,
                ..plain
            },
        ),
    ]
}

/// Unknown is an answer only of the one who may give up.
fn agree(horn: &Horn, found: &ChcVerdict, expected: bool, who: &str) {
    match judged(horn, found) {
        Some(holds) => assert_eq!(holds, expected, "{who}"),
        None => panic!("{who}: {found:?}"),
    }
}

fn check(rng: &mut Rng) {
    let horn = random(rng, SIZE);
    if widest(&horn) > 6 {
        return;
    }
    let expected = !derive(&horn, SIZE).violated;
    let cx = Context::default();
    for (name, options) in variants() {
        let (found, _) = recmc::solve(&horn, options, &cx);
        agree(&horn, &found, expected, name);
    }
    for kind in [AbstractionKind::Constraints, AbstractionKind::Variables] {
        let (found, _, _) = abstraction::solve(&horn, kind, RecmcOptions::default(), &cx);
        agree(&horn, &found, expected, &format!("{kind:?}"));
    }
    if bmc::is_linear(&horn) {
        let (kind, options) = (AbstractionKind::Constraints, RecmcOptions::default());
        let (found, _, _) = abstraction::solve_by(&horn, kind, Bounds::Counters, options, &cx);
        agree(&horn, &found, expected, "loop counters");
    }
    if bmc::is_linear(&horn) && !expected {
        let (found, _) = bmc::solve(&horn, &cx);
        agree(&horn, &found, expected, "bmc");
    }
    if bmc::is_linear(&horn) {
        let (found, _) = induction::solve(&horn, &cx);
        if let Some(holds) = judged(&horn, &found) {
            assert_eq!(holds, expected, "induction");
        }
    }
}

#[test]
fn random_systems() {
    for_each_seed(400, check);
}

/// The search on z3 and cvc5, which scripts/test.sh installs, is right as well.
fn check_with_others(rng: &mut Rng) {
    let horn = random(rng, SIZE);
    if widest(&horn) > 6 {
        return;
    }
    let expected = !derive(&horn, SIZE).violated;
    let limit = Duration::from_secs(300);
    let plain = RecmcOptions {
        invariants: false,
        ..RecmcOptions::default()
    };
    for tool in [
        Tool::z3_at(installed("z3")),
        Tool::cvc5_at(installed("cvc5")),
    ] {
        let choice = Choice::Other(tool, limit);
        for options in [plain, RecmcOptions::gpdr()] {
            let (found, _) = recmc::solve_by(&horn, options, &choice, &Context::default());
            agree(&horn, &found, expected, &format!("{choice:?}"));
        }
    }
}

#[test]
fn random_systems_with_other_solvers() {
    for_each_seed(30, check_with_others);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_systems() {
    for_each_seed(40_000, check);
}

#[test]
fn induction_proves_what_no_long_chain_leads_to() {
    let text = |limit: &str| {
        support::read(&format!(
            "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (< x 5) (= y (+ x 2))) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (> x {limit})) false)))
"
        ))
    };
    for (limit, expected) in [("6", true), ("5", false)] {
        let horn = text(limit);
        let (found, _) = induction::solve(&horn, &Context::default());
        assert_eq!(judged(&horn, &found), Some(expected));
    }
}
