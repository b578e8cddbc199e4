//! Proofs are checked, weakened cores are what they are said to be.

mod checker;
mod formulas;

use formulas::Maker;
use suppose_certify::Rejection;
use suppose_certify::chc::{Summary, check_definitions};
use suppose_control::Context;
use suppose_model::chc::{Clause, Definitions, Horn, Lin, Proof, ProofStep, Sort, TermId, Terms};
use suppose_number::Int;
use suppose_smt::{SatResult, Solver, prove};
use suppose_testkit::{Rng, for_each_seed};

const MIXES: [&[Sort]; 6] = [
    &[Sort::Bool; 4],
    &[Sort::Bool, Sort::Int, Sort::Int],
    &[Sort::Int; 4],
    &[Sort::Bool, Sort::Real, Sort::Real],
    &[Sort::Bool, Sort::Int, Sort::Real],
    &[Sort::Real; 4],
];

fn maker(rng: &mut Rng) -> Maker {
    let mut maker = Maker::new(MIXES[rng.below(MIXES.len())]);
    maker.factor = rng.between(1, 5);
    maker.constant = rng.between(0, 8);
    maker
}

fn decide(terms: &mut Terms, formulas: &[TermId]) -> SatResult {
    let mut solver = Solver::new();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    let outcome = solver.check(terms, &[], &Context::default());
    outcome.expect("no limit")
}

/// The checker of certificates on a system of one query, whose body is the formula.
fn certify(
    before: Terms,
    after: &Terms,
    formula: TermId,
    proof: Proof,
) -> Result<Summary, Rejection> {
    let query = Clause {
        body: Vec::new(),
        constraint: formula,
        head: None,
        place: None,
    };
    let horn = Horn {
        terms: before,
        predicates: Vec::new(),
        clauses: vec![query],
    };
    let evidence = Definitions {
        terms: after.clone(),
        definitions: Vec::new(),
        proofs: vec![proof],
        about: None,
    };
    check_definitions(&horn, &evidence, &Context::default())
}

/// Every formula that has no model gets a proof, and every proof is one.
#[test]
fn proofs_are_proofs() {
    let cx = Context::default();
    let (mut proved, mut cuts, mut farkas) = (0, 0, 0);
    for_each_seed(3000, |rng| {
        let mut maker = maker(rng);
        let parts: Vec<TermId> = (0..rng.between(1, 6))
            .map(|_| maker.formula(rng, 2))
            .collect();
        let formula = maker.terms.and(parts);
        let before = maker.terms.clone();
        let outcome = decide(&mut maker.terms, &[formula]);
        let proof = prove(&mut maker.terms, formula, &cx).expect("no limit");
        assert_eq!(proof.is_some(), outcome == SatResult::Unsat);
        let Some(proof) = proof else { return };
        proved += 1;
        for step in &proof.steps {
            cuts += usize::from(matches!(step, ProofStep::Cut { .. }));
            farkas += usize::from(matches!(step, ProofStep::Farkas { .. }));
        }
        if let Err(error) = checker::check(&mut maker.terms, formula, &proof) {
            panic!("{error}\n{proof:#?}");
        }
        let certified = certify(before, &maker.terms, formula, proof);
        assert!(certified.is_ok(), "{certified:?}");
    });
    assert!(
        proved > 500 && cuts > 3 && farkas > 300,
        "{proved} {cuts} {farkas}"
    );
}

/// A proof with a step changed or left out is not taken: the checker above does check.
#[test]
fn the_checker_refuses_what_is_no_proof() {
    let mut terms = Terms::default();
    let x = Lin::var(terms.fresh("x", Sort::Int));
    let low = terms.le(x.neg().plus(2));
    let high = terms.le(x);
    let formula = terms.and([low, high]);
    let proof = prove(&mut terms, formula, &Context::default()).expect("no limit");
    let proof = proof.expect("no model");
    assert_eq!(checker::check(&mut terms, formula, &proof), Ok(()));
    for left_out in 0..proof.steps.len() {
        let mut broken = proof.clone();
        broken.steps.remove(left_out);
        assert!(checker::check(&mut terms, formula, &broken).is_err());
    }
    assert!(checker::check(&mut terms, low, &proof).is_err());
}

/// What is implied by the shared assumptions refutes with the others; sums take the place of several literals.
#[test]
fn weakened_cores_are_implied_and_refute() {
    let cx = Context::default();
    let (mut tried, mut sums) = (0, 0);
    for_each_seed(1200, |rng| {
        let mut maker = maker(rng);
        let mut solver = if rng.percent(50) {
            Solver::new()
        } else {
            Solver::hurried()
        };
        let mut asserted = Vec::new();
        for _ in 0..rng.between(0, 3) {
            let formula = maker.formula(rng, 2);
            solver.assert(&mut maker.terms, formula);
            asserted.push(formula);
        }
        for _ in 0..6 {
            let mut shared = Vec::new();
            let mut all = Vec::new();
            for _ in 0..rng.between(2, 8) {
                let depth = usize::from(rng.percent(15));
                let formula = maker.formula(rng, depth);
                if rng.percent(70) {
                    shared.push(formula);
                }
                all.push(formula);
            }
            let outcome = solver.check(&mut maker.terms, &all, &cx).expect("no limit");
            if outcome != SatResult::Unsat {
                continue;
            }
            tried += 1;
            let weakened = solver.weakened_core(&mut maker.terms, &shared);
            sums += weakened.iter().filter(|w| !shared.contains(w)).count();
            let mut rest = asserted.clone();
            rest.extend(all.iter().filter(|a| !shared.contains(a)));
            rest.extend(&weakened);
            assert_ne!(
                decide(&mut maker.terms, &rest),
                SatResult::Sat,
                "no refutation"
            );
            for &formula in &weakened {
                let mut claim = shared.clone();
                claim.push(maker.terms.not(formula));
                assert_ne!(
                    decide(&mut maker.terms, &claim),
                    SatResult::Sat,
                    "not implied"
                );
            }
        }
    });
    assert!(tried > 1000 && sums > 300, "{tried} {sums}");
}

/// The textbook case: two shared bounds become their sum.
#[test]
fn a_sum_of_two_bounds_is_an_interpolant() {
    let cx = Context::default();
    let mut terms = Terms::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| Lin::var(terms.fresh(name, Sort::Int)));
    // x >= z and y >= z + 1 are shared; the rest says x + y <= 2z.
    let first = terms.le(z.sub(&x));
    let second = terms.le(z.sub(&y).plus(1));
    let rest = terms.le(x.add(&y).sub(&z.scale(&Int::from(2))));
    let mut solver = Solver::new();
    solver.assert(&mut terms, rest);
    let outcome = solver.check(&mut terms, &[first, second], &cx);
    assert_eq!(outcome, Ok(SatResult::Unsat));
    let weakened = solver.weakened_core(&mut terms, &[first, second]);
    let sum = terms.le(z.scale(&Int::from(2)).sub(&x).sub(&y).plus(1));
    assert_eq!(weakened, [sum]);
}
