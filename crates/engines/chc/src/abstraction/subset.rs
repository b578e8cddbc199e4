//! The maximal inductive subset by minimal unsatisfiable subsets (Figs. 3.11 and 3.12 of the thesis).
//!
//! One solver knows all clauses, each behind a literal `E` that uses it, with the invariants. For every candidate a
//! literal `A` says that it is true of bodies, and a literal `B` that it counts when some head breaks a candidate. With all `A`,
//! those candidates fail for which `not B` must be assumed to have no model; they go, with their `A`, until none fails.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Horn, Pred, TermId, Terms};
use suppose_smt::{SatResult, Solver};

use super::inductive::at;
use crate::recmc::literal;

struct Subset {
    solver: Solver,
    /// The candidate is true of bodies.
    assumed: Vec<TermId>,
    /// The candidate may be broken.
    counts: Vec<TermId>,
    /// The candidate, by number, is broken by a clause.
    broken: Vec<(usize, TermId)>,
}

/// The candidates that are inductive together, with the invariants; none if the solver gives up.
pub(super) fn extract(
    horn: &Horn,
    terms: &mut Terms,
    invariants: &[(Pred, TermId)],
    candidates: &[(Pred, TermId)],
    cx: &Context,
) -> Result<Option<Vec<(Pred, TermId)>>, Stopped> {
    let mut subset = Subset::new(horn, terms, invariants, candidates);
    // Lines 1 and 2: nothing has failed, and everything is assumed.
    let mut failed = vec![false; candidates.len()];
    loop {
        let Some(more) = subset.least_to_give_up(terms, &failed, cx)? else {
            return Ok(None);
        };
        if more.is_empty() {
            let left = candidates
                .iter()
                .zip(&failed)
                .filter(|(_, failed)| !**failed);
            return Ok(Some(left.map(|(candidate, _)| *candidate).collect()));
        }
        // Lines 4 to 6.
        for number in more {
            failed[number] = true;
        }
    }
}

impl Subset {
    fn new(
        horn: &Horn,
        terms: &mut Terms,
        invariants: &[(Pred, TermId)],
        candidates: &[(Pred, TermId)],
    ) -> Subset {
        let mut subset = Subset {
            solver: Solver::new(),
            assumed: candidates
                .iter()
                .map(|_| literal(terms, "assumed"))
                .collect(),
            counts: candidates
                .iter()
                .map(|_| literal(terms, "counts"))
                .collect(),
            broken: Vec::new(),
        };
        for clause in &horn.clauses {
            let Some(head) = &clause.head else { continue };
            let used = literal(terms, "used");
            // (1), (3), (4)
            let mut meant = vec![clause.constraint];
            for app in clause.body.iter().chain([head]) {
                for &(_, formula) in invariants.iter().filter(|(p, _)| *p == app.pred) {
                    meant.push(at(horn, terms, app, formula));
                }
            }
            for formula in meant {
                subset.tell(terms, &[used], formula);
            }
            for (number, &(pred, formula)) in candidates.iter().enumerate() {
                // (5)
                for app in clause.body.iter().filter(|app| app.pred == pred) {
                    let said = at(horn, terms, app, formula);
                    subset.tell(terms, &[used, subset.assumed[number]], said);
                }
                // A part of (6)
                if head.pred == pred {
                    let broken = literal(terms, "broken");
                    let said = at(horn, terms, head, formula);
                    let not = terms.not(said);
                    for consequence in [used, subset.counts[number], not] {
                        subset.tell(terms, &[broken], consequence);
                    }
                    subset.broken.push((number, broken));
                }
            }
        }
        let some = terms.or(subset.broken.iter().map(|(_, broken)| *broken));
        subset.solver.assert(terms, some);
        subset
    }

    fn tell(&mut self, terms: &mut Terms, conditions: &[TermId], formula: TermId) {
        let mut parts: Vec<TermId> = conditions.iter().map(|&c| terms.not(c)).collect();
        parts.push(formula);
        let clause = terms.or(parts);
        self.solver.assert(terms, clause);
    }

    /// `Mus` of Fig. 3.12, bottom up: which candidates must not count, besides those that have failed.
    fn least_to_give_up(
        &mut self,
        terms: &mut Terms,
        failed: &[bool],
        cx: &Context,
    ) -> Result<Option<Vec<usize>>, Stopped> {
        let mut fixed = Vec::new();
        for (number, failed) in failed.iter().enumerate() {
            fixed.push(match failed {
                true => terms.not(self.counts[number]),
                false => self.assumed[number],
            });
        }
        let mut given_up: Vec<usize> = Vec::new();
        loop {
            cx.check()?;
            let mut assumptions = fixed.clone();
            assumptions.extend(given_up.iter().map(|&n| terms.not(self.counts[n])));
            match self.solver.check_patiently(terms, &assumptions, cx)? {
                SatResult::Unsat => return Ok(Some(given_up)),
                SatResult::Unknown => return Ok(None),
                SatResult::Sat => {}
            }
            // Only those that the model breaks: a literal may be true without need.
            let model = self.solver.model();
            for &(number, broken) in &self.broken {
                if !failed[number] && !given_up.contains(&number) && model.eval(terms, broken) {
                    given_up.push(number);
                }
            }
        }
    }
}
