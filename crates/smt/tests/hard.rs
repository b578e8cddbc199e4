//! Problems that need more than a few steps, and inputs at the edges.

mod checker;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Lin, Sort, TermId, Terms};
use suppose_number::Int;
use suppose_smt::{SatResult, Solver, prove};
use suppose_testkit::for_each_seed;

fn decide(terms: &mut Terms, formulas: &[TermId]) -> (SatResult, Solver) {
    let mut solver = Solver::new();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    let outcome = solver.check(terms, &[], &Context::default());
    (outcome.expect("no limit"), solver)
}

fn bools(terms: &mut Terms, count: usize) -> Vec<TermId> {
    (0..count)
        .map(|_| {
            let var = terms.fresh("b", Sort::Bool);
            terms.var(var)
        })
        .collect()
}

fn ints<const N: usize>(terms: &mut Terms) -> [Lin; N] {
    std::array::from_fn(|_| Lin::var(terms.fresh("x", Sort::Int)))
}

fn times(lin: &Lin, factor: i64) -> Lin {
    lin.scale(&Int::from(factor))
}

/// One pigeon more than holes.
fn pigeons(terms: &mut Terms, holes: usize) -> TermId {
    let places: Vec<Vec<TermId>> = (0..=holes).map(|_| bools(terms, holes)).collect();
    let mut all = Vec::new();
    for (i, one) in places.iter().enumerate() {
        all.push(terms.or(one.iter().copied()));
        for other in &places[..i] {
            for (&a, &b) in one.iter().zip(other) {
                let both = terms.and([a, b]);
                all.push(terms.not(both));
            }
        }
    }
    terms.and(all)
}

#[test]
fn pigeons_do_not_fit() {
    let mut terms = Terms::default();
    let formula = pigeons(&mut terms, 6);
    assert_eq!(decide(&mut terms, &[formula]).0, SatResult::Unsat);
    let small = pigeons(&mut terms, 4);
    let proof = prove(&mut terms, small, &Context::default()).expect("no limit");
    let checked = checker::check(&mut terms, small, &proof.expect("no model"));
    assert_eq!(checked, Ok(()));
}

/// Random clauses of three literals, near where half of the problems have a model.
#[test]
fn random_clauses_are_decided() {
    let mut seen = [0; 2];
    for_each_seed(40, |rng| {
        let mut terms = Terms::default();
        let vars = bools(&mut terms, 70);
        let mut clauses = Vec::new();
        for _ in 0..300 {
            let mut parts = Vec::new();
            for _ in 0..3 {
                let var = vars[rng.below(vars.len())];
                parts.push(if rng.percent(50) { var } else { terms.not(var) });
            }
            clauses.push(terms.or(parts));
        }
        let (outcome, solver) = decide(&mut terms, &clauses);
        assert_ne!(outcome, SatResult::Unknown);
        if outcome == SatResult::Sat {
            assert!(clauses.iter().all(|&c| solver.model().eval(&terms, c)));
        } else {
            // Each set of clauses that has no model loses none of it in another order.
            clauses.reverse();
            assert_eq!(decide(&mut terms, &clauses).0, SatResult::Unsat);
        }
        let mut hurried = Solver::hurried();
        for &clause in &clauses {
            hurried.assert(&mut terms, clause);
        }
        let cx = Context::default();
        assert_eq!(hurried.check(&mut terms, &[], &cx), Ok(outcome));
        seen[outcome as usize] += 1;
    });
    assert!(seen.iter().all(|&n| n > 3), "{seen:?}");
}

/// Job-shop like choices: many small disjunctions of differences.
#[test]
fn schedules_are_found_or_excluded() {
    for (horizon, expected) in [(18, SatResult::Sat), (11, SatResult::Unsat)] {
        let mut terms = Terms::default();
        let starts: Vec<Lin> = (0..6)
            .map(|_| Lin::var(terms.fresh("s", Sort::Int)))
            .collect();
        let mut all = Vec::new();
        for (i, a) in starts.iter().enumerate() {
            all.push(terms.le(a.neg()));
            all.push(terms.le(a.clone().plus(3 - horizon)));
            for b in &starts[..i] {
                let before = terms.le(a.sub(b).plus(3));
                let after = terms.le(b.sub(a).plus(3));
                all.push(terms.or([before, after]));
            }
        }
        assert_eq!(decide(&mut terms, &all).0, expected, "{horizon}");
    }
}

/// Branching alone would never end on these: the variables are not bounded.
#[test]
fn equations_without_integer_solutions_are_refuted() {
    let cx = Context::default();
    let mut terms = Terms::default();
    let [x, y, z, a, b] = ints(&mut terms);
    let even = terms.eq(x.add(&y).sub(&times(&a, 2)));
    let odd = terms.eq(x.sub(&y).sub(&times(&b, 2)).plus(-1));
    let parity = terms.and([even, odd]);
    // 6x + 10y + 15z = 1 has solutions; 5 dividing x, 3 dividing y, 2 dividing z it has none.
    let sum = times(&x, 6)
        .add(&times(&y, 10))
        .add(&times(&z, 15))
        .plus(-1);
    let sum = terms.eq(sum);
    let by = [(&x, 5), (&y, 3), (&z, 2)];
    let divided: Vec<TermId> = by
        .iter()
        .map(|(lin, d)| terms.divides(&Int::from(*d), lin))
        .collect();
    let coprime = terms.and([sum, divided[0], divided[1], divided[2]]);
    // 1 <= x - 3a <= 2 where 6 divides x.
    let low = terms.le(times(&a, 3).sub(&x).plus(1));
    let high = terms.le(x.sub(&times(&a, 3)).plus(-2));
    let six = terms.divides(&Int::from(6), &x);
    let between = terms.and([low, high, six]);
    for formula in [parity, coprime, between] {
        let proof = prove(&mut terms, formula, &cx).expect("no limit");
        let proof = proof.expect("no model");
        assert_eq!(checker::check(&mut terms, formula, &proof), Ok(()));
    }
    assert_eq!(decide(&mut terms, &[sum]).0, SatResult::Sat);
    let seven = terms.divides(&Int::from(7), &x);
    assert_eq!(decide(&mut terms, &[sum, seven]).0, SatResult::Sat);
}

/// What a rational variable shares with integers makes it one.
#[test]
fn equations_through_rationals_are_refuted() {
    let mut terms = Terms::default();
    let [x, y] = ints(&mut terms);
    let r = Lin::var(terms.fresh("r", Sort::Real));
    let first = terms.eq(times(&x, 2).add(&times(&r, 4)).plus(-1));
    let second = terms.eq(y.sub(&r).plus(-2));
    let formula = terms.and([first, second]);
    let proof = prove(&mut terms, formula, &Context::default()).expect("no limit");
    let checked = checker::check(&mut terms, formula, &proof.expect("no model"));
    assert_eq!(checked, Ok(()));
    assert_eq!(decide(&mut terms, &[first]).0, SatResult::Sat);
}

/// Numbers far beyond machine words.
#[test]
fn huge_numbers_are_exact() {
    let mut terms = Terms::default();
    let [x, y] = ints(&mut terms);
    let huge: Int = "9".repeat(40).parse().expect("digits");
    let next = &huge + &Int::ONE;
    // huge * x = next * y with 0 < x: the least solution is x = next, y = huge.
    let equal = terms.eq(x.scale(&huge).sub(&y.scale(&next)));
    let positive = terms.le(x.neg().plus(1));
    let (outcome, solver) = decide(&mut terms, &[equal, positive]);
    assert_eq!(outcome, SatResult::Sat);
    assert!(solver.model().eval(&terms, equal));
    let small = terms.le(x.clone().plus(-huge.clone()));
    let formula = terms.and([equal, positive, small]);
    assert_eq!(decide(&mut terms, &[formula]).0, SatResult::Unsat);
}

/// Formulas as deep as a program's text can make them.
#[test]
fn deep_formulas_do_not_exhaust_the_stack() {
    let mut terms = Terms::default();
    let vars = bools(&mut terms, 50_000);
    let mut formula = vars[0];
    for (i, &var) in vars.iter().enumerate().skip(1) {
        formula = match i % 3 {
            0 => terms.and([formula, var]),
            1 => terms.or([formula, var]),
            _ => terms.iff(formula, var),
        };
    }
    let (outcome, solver) = decide(&mut terms, &[formula]);
    assert_eq!(outcome, SatResult::Sat);
    assert!(solver.model().eval(&terms, formula));
}

/// A question that is stopped leaves a solver that answers the next one.
#[test]
fn a_stopped_question_can_be_asked_again() {
    let mut terms = Terms::default();
    let formula = pigeons(&mut terms, 6);
    let mut solver = Solver::new();
    let guard = bools(&mut terms, 1)[0];
    let guarded = terms.implies(guard, formula);
    solver.assert(&mut terms, guarded);
    for limit in [0, 1, 5, 25] {
        let cx = Context::default().with_work(limit);
        let stopped = solver.check(&mut terms, &[guard], &cx);
        assert_eq!(stopped, Err(Stopped::Superseded), "{limit}");
    }
    let cx = Context::default();
    assert_eq!(solver.check(&mut terms, &[], &cx), Ok(SatResult::Sat));
    assert_eq!(
        solver.check(&mut terms, &[guard], &cx),
        Ok(SatResult::Unsat)
    );
    assert_eq!(solver.core(), [guard]);
}

/// Contradictory assumptions, false ones, the same one twice, and constants.
#[test]
fn odd_assumptions_are_understood() {
    let cx = Context::default();
    let mut terms = Terms::default();
    let b = bools(&mut terms, 1)[0];
    let not = terms.not(b);
    let mut solver = Solver::new();
    assert_eq!(solver.check(&mut terms, &[], &cx), Ok(SatResult::Sat));
    assert_eq!(
        solver.check(&mut terms, &[b, b, Terms::TRUE], &cx),
        Ok(SatResult::Sat)
    );
    assert_eq!(
        solver.check(&mut terms, &[b, not], &cx),
        Ok(SatResult::Unsat)
    );
    assert_eq!(solver.core(), [b, not]);
    assert_eq!(solver.weakened_core(&mut terms, &[b]), [b]);
    assert_eq!(
        solver.check(&mut terms, &[b, Terms::FALSE], &cx),
        Ok(SatResult::Unsat)
    );
    assert_eq!(solver.core(), [Terms::FALSE]);
    solver.assert(&mut terms, not);
    assert_eq!(solver.check(&mut terms, &[b], &cx), Ok(SatResult::Unsat));
    assert_eq!(solver.weakened_core(&mut terms, &[b]), [b]);
    solver.assert(&mut terms, b);
    assert_eq!(solver.check(&mut terms, &[], &cx), Ok(SatResult::Unsat));
    assert!(solver.core().is_empty());
    assert!(solver.weakened_core(&mut terms, &[]).is_empty());
}
