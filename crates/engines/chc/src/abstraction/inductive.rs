//! The largest inductive part of a set of formulas (Fig. 3.12).

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{App, Clause, Horn, Pred, TermId, Terms, Var};
use suppose_smt::{SatResult, Solver};

use crate::recmc::Bounded;

/// What was learned, in another store.
pub(super) fn candidates(proof: &Bounded, terms: &mut Terms) -> Vec<(Pred, TermId)> {
    let mut moved = FxHashMap::default();
    proof
        .summaries
        .iter()
        .map(|s| (s.pred, terms.import(&proof.terms, s.formula, &mut moved)))
        .collect()
}

/// Those candidates that, with the invariants, are true of every clause's head if they are true of its body.
/// What the solver cannot decide is left out. Candidates about a predicate that is none of the system's
/// (the goal of a search) are left out too.
pub(super) fn largest(
    horn: &Horn,
    terms: &mut Terms,
    invariants: &[(Pred, TermId)],
    candidates: Vec<(Pred, TermId)>,
    cx: &Context,
) -> Result<Vec<(Pred, TermId)>, Stopped> {
    let mut left: Vec<(Pred, TermId)> = candidates
        .into_iter()
        .filter(|(p, _)| p.index() < horn.predicates.len())
        .collect();
    let mut solvers: Vec<Solver> = Vec::new();
    for clause in &horn.clauses {
        solvers.push(body(horn, terms, invariants, clause));
    }
    loop {
        let mut fallen = vec![false; left.len()];
        for (number, clause) in horn.clauses.iter().enumerate() {
            let Some(head) = &clause.head else { continue };
            let mut assumptions = Vec::new();
            for app in &clause.body {
                for &(_, formula) in left.iter().filter(|(p, _)| *p == app.pred) {
                    assumptions.push(at(horn, terms, app, formula));
                }
            }
            for i in 0..left.len() {
                if left[i].0 != head.pred || fallen[i] {
                    continue;
                }
                cx.check()?;
                let said = at(horn, terms, head, left[i].1);
                assumptions.push(terms.not(said));
                if solvers[number].check(terms, &assumptions, cx)? != SatResult::Unsat {
                    fallen[i] = true;
                }
                assumptions.pop();
            }
        }
        if !fallen.contains(&true) {
            return Ok(left);
        }
        let mut keep = fallen.iter().map(|f| !f);
        left.retain(|_| keep.next() == Some(true));
    }
}

/// A solver that knows the body of a clause, with the invariants.
fn body(horn: &Horn, terms: &mut Terms, invariants: &[(Pred, TermId)], clause: &Clause) -> Solver {
    let mut solver = Solver::new();
    solver.assert(terms, clause.constraint);
    for app in &clause.body {
        for &(_, formula) in invariants.iter().filter(|(p, _)| *p == app.pred) {
            let instance = at(horn, terms, app, formula);
            solver.assert(terms, instance);
        }
    }
    solver
}

/// Do the invariants make the body of every query impossible?
pub(super) fn excludes_queries(
    horn: &Horn,
    terms: &mut Terms,
    invariants: &[(Pred, TermId)],
    cx: &Context,
) -> Result<bool, Stopped> {
    for clause in horn.clauses.iter().filter(|c| c.head.is_none()) {
        let mut solver = body(horn, terms, invariants, clause);
        if solver.check(terms, &[], cx)? != SatResult::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A formula over formal parameters, said of an application.
pub(super) fn at(horn: &Horn, terms: &mut Terms, app: &App, formula: TermId) -> TermId {
    let formals = &horn.predicate(app.pred).formals;
    let pairs: Vec<(Var, Var)> = formals
        .iter()
        .copied()
        .zip(app.args.iter().copied())
        .collect();
    terms.replace(formula, &pairs)
}
