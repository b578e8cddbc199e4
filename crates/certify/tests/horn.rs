//! Evidence about Horn clauses: what is right is accepted, and what was changed is not.
#![allow(clippy::unwrap_used)]

mod clauses;

use clauses::*;
use suppose_certify::Rejection;
use suppose_certify::chc::check_definitions;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Definitions, Horn, Lin, Lit, ProofStep, Sort, TermId, Terms, Value, Var};
use suppose_number::Rat;

/// Rejected, for a reason that has these words.
fn rejected(result: Result<(), String>, why: &str) {
    let message = result.expect_err("it must not be accepted");
    assert!(message.contains(why), "{message}");
}

#[test]
fn a_proof_with_divisibility_and_cuts_is_accepted() {
    assert_eq!(verdict(&steps_of_two(), &even_and_small()), Ok(()));
}

#[test]
fn the_summary_counts() {
    let summary =
        check_definitions(&steps_of_two(), &even_and_small(), &Context::default()).unwrap();
    assert_eq!((summary.clauses, summary.steps), (4, 13));
}

/// Calls with the steps of each proof and their places.
fn each_step(evidence: &Definitions, mut with: impl FnMut(usize, usize, &ProofStep)) {
    for (clause, proof) in evidence.proofs.iter().enumerate() {
        for (number, step) in proof.steps.iter().enumerate() {
            with(clause, number, step);
        }
    }
}

fn clause_of(step: &mut ProofStep) -> &mut Vec<Lit> {
    match step {
        ProofStep::Propagation { clause }
        | ProofStep::Farkas { clause, .. }
        | ProofStep::Cut { clause, .. } => clause,
    }
}

#[test]
fn no_step_can_be_left_out() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    each_step(&evidence, |clause, step, _| {
        let mut changed = evidence.clone();
        changed.proofs[clause].steps.remove(step);
        assert!(
            verdict(&horn, &changed).is_err(),
            "clause {clause}, step {step}"
        );
    });
}

#[test]
fn no_literal_can_be_dropped_or_turned() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    each_step(&evidence, |clause, number, step| {
        for literal in 0..clause_of(&mut step.clone()).len() {
            let mut changed = evidence.clone();
            clause_of(&mut changed.proofs[clause].steps[number])[literal].positive ^= true;
            assert!(verdict(&horn, &changed).is_err());
            let mut changed = evidence.clone();
            let step = &mut changed.proofs[clause].steps[number];
            clause_of(step).remove(literal);
            if let ProofStep::Farkas { factors, .. } | ProofStep::Cut { factors, .. } = step
                && literal < factors.len()
            {
                factors.remove(literal);
            }
            assert!(verdict(&horn, &changed).is_err());
        }
    });
}

#[test]
fn each_factor_matters() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    each_step(&evidence, |clause, number, step| {
        let (ProofStep::Farkas { factors, .. } | ProofStep::Cut { factors, .. }) = step else {
            return;
        };
        for at in 0..factors.len() {
            let old = &factors[at];
            for new in [
                old + &Rat::ONE,
                old - &Rat::ONE,
                Rat::ZERO,
                -old,
                old * &rat(3),
            ] {
                let mut changed = evidence.clone();
                if let ProofStep::Farkas { factors, .. } | ProofStep::Cut { factors, .. } =
                    &mut changed.proofs[clause].steps[number]
                {
                    factors[at] = new;
                }
                assert!(verdict(&horn, &changed).is_err());
            }
        }
    });
}

#[test]
fn proofs_of_other_clauses_do_not_count() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    for a in 0..4 {
        for b in 0..a {
            let mut changed = evidence.clone();
            changed.proofs.swap(a, b);
            assert!(verdict(&horn, &changed).is_err());
        }
    }
    let mut changed = evidence.clone();
    changed.proofs.pop();
    rejected(verdict(&horn, &changed), "3 proofs for 4 clauses");
}

#[test]
fn other_definitions_are_not_proven() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    for formula in (0..evidence.terms.len() as u32).map(TermId) {
        let mut changed = evidence.clone();
        changed.definitions[0] = formula;
        let accepted = verdict(&horn, &changed).is_ok();
        assert_eq!(accepted, formula == evidence.definitions[0]);
    }
    let mut changed = evidence.clone();
    changed.definitions.clear();
    rejected(verdict(&horn, &changed), "0 definitions for 1 predicates");
    let mut changed = evidence;
    changed.definitions[0] = TermId(u32::MAX);
    rejected(verdict(&horn, &changed), "there is no such formula");
}

#[test]
fn a_definition_speaks_of_its_parameters_only() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    let foreign = |make: &dyn Fn(&mut Terms) -> TermId| {
        let mut changed = evidence.clone();
        changed.definitions[0] = make(&mut changed.terms);
        rejected(verdict(&horn, &changed), "more than the parameters");
    };
    foreign(&|terms| terms.le(Lin::var(Var(1))));
    foreign(&|terms| {
        let even = terms.divides(&int(2), &Lin::var(Var(0)));
        let quotient = terms.quotient(even);
        terms.le(Lin::var(quotient))
    });
}

#[test]
fn a_proof_ends_with_the_empty_clause() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    for clause in 0..4 {
        let mut changed = evidence.clone();
        let first = changed.proofs[clause].steps[0].clone();
        changed.proofs[clause].steps.push(first);
        rejected(verdict(&horn, &changed), "empty clause");
        let mut changed = evidence.clone();
        changed.proofs[clause].steps.clear();
        rejected(verdict(&horn, &changed), "empty clause");
    }
}

#[test]
fn unknown_atoms_and_negations_are_refused() {
    let (horn, evidence) = (steps_of_two(), even_and_small());
    let mut terms = evidence.terms.clone();
    let some = terms.le(Lin::var(Var(1)));
    let negation = terms.not(some);
    for atom in [TermId(u32::MAX), TermId(terms.len() as u32), negation] {
        let mut changed = evidence.clone();
        changed.terms = terms.clone();
        let lit = Lit {
            atom,
            positive: true,
        };
        changed.proofs[1].steps.insert(0, propagation(&[lit]));
        rejected(verdict(&horn, &changed), "not one of an atom");
    }
}

#[test]
fn a_store_of_other_variables_is_refused() {
    let (horn, mut evidence) = (steps_of_two(), even_and_small());
    evidence.terms = Terms::default();
    rejected(verdict(&horn, &evidence), "fewer variables");
    for _ in 0..horn.terms.var_count() {
        evidence.terms.fresh("x", Sort::Real);
    }
    rejected(verdict(&horn, &evidence), "another sort");
}

/// A quotient must not be a variable of the system: `q` is in `q = 1`, and the axioms say that it is 0.
#[test]
fn a_quotient_that_the_clause_speaks_of_is_refused() {
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Int);
    let even = terms.divides(&int(2), &Lin::var(x));
    let q = terms.quotient(even);
    let zero = terms.eq(Lin::var(x));
    let one = terms.eq(Lin::var(q).plus(-1));
    let formula = terms.and([zero, one]);
    let rest = terms.le(Lin::var(x).add_scaled(&Lin::var(q), &int(-2)).neg());
    let [zero, one, rest] = [zero, one, rest].map(|t| terms.literal(t));
    let steps = vec![
        farkas(&[not(zero), not(one), not(rest)], &[1, -2, 1]),
        propagation(&[]),
    ];
    let horn = query(terms.clone(), formula);
    rejected(verdict(&horn, &refuted(terms, steps)), "quotient");
}

/// `formula` is refuted by these steps.
fn refutes(terms: &Terms, formula: TermId, steps: Vec<ProofStep>) -> Result<(), String> {
    let horn = query(terms.clone(), formula);
    verdict(&horn, &refuted(terms.clone(), steps))
}

#[test]
fn false_needs_one_step_and_true_has_no_proof() {
    let terms = Terms::default();
    assert_eq!(
        refutes(&terms, Terms::FALSE, vec![propagation(&[])]),
        Ok(())
    );
    rejected(
        refutes(&terms, Terms::TRUE, vec![propagation(&[])]),
        "by propagation",
    );
    let always = Lit {
        atom: Terms::FALSE,
        positive: true,
    };
    let steps = vec![propagation(&[always]), propagation(&[])];
    rejected(refutes(&terms, Terms::TRUE, steps), "by propagation");
}

/// Pigeons and holes, with equivalences: Boolean structure alone.
#[test]
fn propositions_are_propagated() {
    let mut terms = Terms::default();
    let [a, b, c] = ["a", "b", "c"].map(|n| terms.fresh(n, Sort::Bool));
    let [a, b, c] = [a, b, c].map(|v| terms.var(v));
    let same = terms.iff(a, b);
    let differ = terms.iff(b, c);
    let differ = terms.not(differ);
    let both = terms.iff(a, c);
    let formula = terms.and([same, differ, both]);
    let a = terms.literal(a);
    assert_eq!(
        refutes(&terms, formula, vec![propagation(&[a]), propagation(&[])]),
        Ok(())
    );
    rejected(
        refutes(&terms, formula, vec![propagation(&[])]),
        "by propagation",
    );
}

/// Over rationals `x < 0` and `x >= 0` contradict each other by strictness alone; `x <= 0` and `x >= 0`
/// do not, and over integers the negation of `x <= 0` is `x >= 1`, which over rationals it is not.
#[test]
fn strictness_counts() {
    for (sort, expected) in [(Sort::Real, false), (Sort::Int, true)] {
        let mut terms = Terms::default();
        let x = terms.fresh("x", sort);
        let positive = terms.lt(Lin::var(x).neg());
        let below_one = terms.lt(Lin::var(x).plus(-1));
        let formula = terms.and([positive, below_one]);
        let clause = [positive, below_one].map(|t| not(terms.literal(t)));
        let steps = vec![farkas(&clause, &[1, 1]), propagation(&[])];
        assert_eq!(refutes(&terms, formula, steps).is_ok(), expected);
    }
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Real);
    let parts = [
        terms.lt(Lin::var(x)),
        terms.le(Lin::var(x)),
        terms.le(Lin::var(x).neg()),
    ];
    for (at, expected) in [(0, true), (1, false)] {
        let formula = terms.and([parts[at], parts[2]]);
        let clause = [parts[at], parts[2]].map(|t| not(terms.literal(t)));
        let steps = vec![farkas(&clause, &[1, 1]), propagation(&[])];
        assert_eq!(refutes(&terms, formula, steps).is_ok(), expected);
        // A strict inequality that is not used makes nothing strict.
        let steps = vec![farkas(&clause, &[0, 0]), propagation(&[])];
        assert!(refutes(&terms, formula, steps).is_err());
    }
}

/// `x <= 0` and `x <= -1` have models; subtracting one from the other would hide that.
#[test]
fn inequalities_are_not_subtracted() {
    for sort in [Sort::Int, Sort::Real] {
        let mut terms = Terms::default();
        let x = terms.fresh("x", sort);
        let parts = [terms.le(Lin::var(x)), terms.le(Lin::var(x).plus(1))];
        let formula = terms.and(parts);
        let clause = parts.map(|t| not(terms.literal(t)));
        let steps = vec![farkas(&clause, &[-1, 1]), propagation(&[])];
        rejected(refutes(&terms, formula, steps), "negative");
        let steps = vec![cut(&[clause[0]], clause[0], &[-1]), propagation(&[])];
        rejected(refutes(&terms, formula, steps), "negative");
    }
}

/// What is not an integer cannot be rounded.
#[test]
fn only_integers_are_rounded() {
    for (sort, expected) in [(Sort::Int, Ok(())), (Sort::Real, Err(()))] {
        let mut terms = Terms::default();
        let [x, y] = ["x", "y"].map(|n| terms.fresh(n, sort));
        // 2x + 2y = 2x' + 1 in the form 2x - 2y = 1, which the store itself finds out for integers.
        let z = terms.fresh("z", sort);
        let first = terms.eq(times(2, x).sub(&Lin::var(z)));
        let second = terms.eq(times(2, y).sub(&Lin::var(z)).plus(-1));
        let formula = terms.and([first, second]);
        let [first, second] = [first, second].map(|t| not(terms.literal(t)));
        let half = |n: i64| Rat::new(int(n), int(2));
        let low = terms.le(Lin::var(x).sub(&Lin::var(y)).plus(1));
        let high = terms.le(Lin::var(y).sub(&Lin::var(x)));
        let [low, high] = [low, high].map(|t| terms.literal(t));
        let steps = vec![
            cut(&[first, second], low, &[half(1), half(-1)]),
            cut(&[first, second], high, &[half(-1), half(1)]),
            farkas(&[not(low), not(high)], &[1, 1]),
            propagation(&[]),
        ];
        assert_eq!(refutes(&terms, formula, steps).map_err(|_| ()), expected);
    }
}

#[test]
fn numbers_that_explode_are_refused() {
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Real);
    let le = terms.le(Lin::var(x));
    let lit = not(terms.literal(le));
    let huge: suppose_number::Int = format!("1{}", "0".repeat(320_000)).parse().unwrap();
    let factor = Rat::from(huge);
    let steps = vec![farkas(&[lit], &[factor]), propagation(&[])];
    rejected(refutes(&terms, le, steps), "more than 262144 bits");
}

#[test]
fn a_check_can_be_stopped() {
    let mut evidence = even_and_small();
    let step = evidence.proofs[1].steps[0].clone();
    for _ in 0..20_000 {
        evidence.proofs[1].steps.insert(0, step.clone());
    }
    let result = check_definitions(&steps_of_two(), &evidence, &Context::default().with_work(0));
    assert_eq!(result, Err(Rejection::Stopped(Stopped::Superseded)));
    assert_eq!(verdict(&steps_of_two(), &evidence), Ok(()));
}

#[test]
fn a_system_with_arguments_that_do_not_fit_is_refused() {
    let evidence = even_and_small();
    let broken = |change: &dyn Fn(&mut Horn)| {
        let mut horn = steps_of_two();
        change(&mut horn);
        rejected(verdict(&horn, &evidence), "the system");
    };
    broken(&|horn| horn.clauses[1].body[0].args.clear());
    broken(&|horn| horn.clauses[1].body[0].args[0] = Var(99));
    broken(&|horn| horn.clauses[1].body[0].pred.0 = 7);
    broken(&|horn| horn.clauses[0].constraint = TermId(12345));
    broken(&|horn| horn.predicates[0].formals[0] = Var(99));
}

#[test]
fn a_derivation_is_accepted() {
    let (horn, derivation) = sums();
    assert_eq!(derived(&horn, &derivation), Ok(()));
}

#[test]
fn a_changed_derivation_is_not() {
    let (horn, derivation) = sums();
    for number in 0..derivation.steps.len() {
        let mut changed = derivation.clone();
        changed.steps.remove(number);
        assert!(derived(&horn, &changed).is_err());
        for clause in 0..5 {
            let mut changed = derivation.clone();
            if changed.steps[number].clause != clause {
                changed.steps[number].clause = clause;
                assert!(derived(&horn, &changed).is_err());
            }
        }
        for premise in 0..6 {
            for at in 0..derivation.steps[number].premises.len() {
                let mut changed = derivation.clone();
                if changed.steps[number].premises[at] != premise {
                    changed.steps[number].premises[at] = premise;
                    assert!(derived(&horn, &changed).is_err());
                }
            }
        }
        let mut changed = derivation.clone();
        changed.steps[number].premises.push(0);
        rejected(derived(&horn, &changed), "premises");
        for var in horn.variables(&horn.clauses[derivation.steps[number].clause]) {
            let old = derivation.steps[number].values.clone();
            let wrong = match horn.terms.sort(var) {
                Sort::Bool => vec![Value::Bool(!old.truth(var)), Value::Num(Rat::ONE)],
                _ => vec![
                    Value::Num(&old.number(var) + &Rat::ONE),
                    Value::Num(&old.number(var) + &Rat::new(int(1), int(2))),
                    Value::Bool(true),
                ],
            };
            for value in wrong {
                let mut changed = derivation.clone();
                changed.steps[number].values.set(var, value);
                assert!(derived(&horn, &changed).is_err());
            }
        }
    }
}

#[test]
fn a_derivation_ends_with_a_query() {
    let (horn, mut derivation) = sums();
    derivation.steps.pop();
    rejected(derived(&horn, &derivation), "query");
    derivation.steps.clear();
    rejected(derived(&horn, &derivation), "no steps");
}

/// An integer that is half a number, where the constraint would allow it.
#[test]
fn integers_have_integer_values() {
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Int);
    let above = terms.le(Lin::var(x).neg().plus(1));
    let horn = query(terms, above);
    let (_, mut derivation) = sums();
    derivation.steps.truncate(1);
    for (value, right) in [(Rat::from(2), true), (Rat::new(int(3), int(2)), false)] {
        derivation.steps[0].values.set(x, Value::Num(value));
        assert_eq!(derived(&horn, &derivation).is_ok(), right);
    }
}
