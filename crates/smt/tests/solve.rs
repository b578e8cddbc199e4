//! The solver against trying values, and incremental use against fresh solvers.

mod formulas;

use formulas::{Maker, witness};
use suppose_control::Context;
use suppose_model::chc::{Assignment, Sort, TermId};
use suppose_smt::{SatResult, Solver};
use suppose_testkit::{Rng, for_each_seed};

use Sort::{Bool, Int, Real};

/// Sorts of the variables; the rationals last, so that [`witness`] is exact about them.
const MIXES: [&[Sort]; 6] = [
    &[Bool, Bool, Bool],
    &[Bool, Int, Int],
    &[Int, Int, Int],
    &[Bool, Real, Real],
    &[Bool, Int, Real],
    &[Int, Int, Real],
];

fn maker(rng: &mut Rng) -> Maker {
    let mut maker = Maker::new(MIXES[rng.below(MIXES.len())]);
    maker.factor = rng.between(1, 5);
    maker.constant = rng.between(0, 8);
    maker
}

fn fresh(maker: &mut Maker, formulas: &[TermId]) -> (SatResult, Solver) {
    let mut solver = Solver::new();
    for &formula in formulas {
        solver.assert(&mut maker.terms, formula);
    }
    let outcome = solver.check(&mut maker.terms, &[], &Context::default());
    (outcome.expect("no limit"), solver)
}

/// No solution is missed, and what is called one is one.
#[test]
fn answers_agree_with_trying_values() {
    let mut seen = [0; 3];
    for_each_seed(4000, |rng| {
        let mut maker = maker(rng);
        let depth = rng.between(1, 4);
        let formula = maker.formula(rng, depth);
        let (outcome, solver) = fresh(&mut maker, &[formula]);
        match outcome {
            SatResult::Sat => assert!(solver.model().eval(&maker.terms, formula)),
            SatResult::Unsat => {
                let found = witness(
                    &maker.terms,
                    formula,
                    &maker.vars,
                    8,
                    &Assignment::default(),
                );
                assert_eq!(found, None);
            }
            SatResult::Unknown => {}
        }
        seen[outcome as usize] += 1;
    });
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
    assert!(seen[2] <= 2, "too often unknown: {seen:?}");
}

/// One solver for many questions says what a fresh one says; models are models, cores are cores.
#[test]
fn incremental_answers_agree_with_fresh_solvers() {
    let cx = Context::default();
    let mut seen = [0; 3];
    for_each_seed(250, |rng| {
        let mut maker = maker(rng);
        let mut solver = if rng.percent(50) {
            Solver::new()
        } else {
            Solver::hurried()
        };
        let mut asserted: Vec<TermId> = Vec::new();
        let mut guards: Vec<(TermId, TermId)> = Vec::new();
        for round in 0..20 {
            let formula = maker.formula(rng, 2);
            if round % 7 == 3 {
                solver.assert(&mut maker.terms, formula);
                asserted.push(formula);
            } else if rng.percent(40) {
                let guard = maker.terms.fresh("guard", Bool);
                let guard = maker.terms.var(guard);
                let guard = if rng.percent(50) {
                    guard
                } else {
                    maker.terms.not(guard)
                };
                let guarded = maker.terms.implies(guard, formula);
                solver.assert(&mut maker.terms, guarded);
                asserted.push(guarded);
                guards.push((guard, formula));
            }
            let mut assumptions: Vec<TermId> = Vec::new();
            for &(guard, _) in &guards {
                if rng.percent(40) {
                    assumptions.push(guard);
                }
            }
            for _ in 0..rng.between(0, 4) {
                let depth = rng.below(2);
                assumptions.push(maker.formula(rng, depth));
            }
            let outcome = solver
                .check(&mut maker.terms, &assumptions, &cx)
                .expect("no limit");
            seen[outcome as usize] += 1;
            let mut all = asserted.clone();
            all.extend(&assumptions);
            let (expected, _) = fresh(&mut maker, &all);
            if outcome != SatResult::Unknown && expected != SatResult::Unknown {
                assert_eq!(outcome, expected, "round {round}");
            }
            match outcome {
                SatResult::Sat => {
                    assert!(all.iter().all(|&f| solver.model().eval(&maker.terms, f)));
                }
                SatResult::Unsat => {
                    assert!(solver.core().iter().all(|c| assumptions.contains(c)));
                    let mut all = asserted.clone();
                    all.extend(solver.core());
                    assert_ne!(fresh(&mut maker, &all).0, SatResult::Sat);
                }
                SatResult::Unknown => {}
            }
        }
    });
    assert!(seen[0] > 200 && seen[1] > 200, "{seen:?}");
    assert!(seen[2] <= 5, "too often unknown: {seen:?}");
}
