//! Loops with counters (Section 3.5 and Fig. 3.10 of the thesis), and proofs without them (Appendix 3.A).
//!
//! Each predicate gets a parameter for every loop that it is in: how many iterations of it are left. A clause that
//! - enters a loop gives its counter any value that is not negative;
//! - goes back to the head of a loop takes one from its counter, which must be there, and at most the bound;
//! - leaves a loop, or ends in a query, needs its counter to be 0;
//! - stays in a loop leaves its counter as it is.
//!
//! The thesis has a variable for each bound too, but only "the counter is at most the bound" and "the bound is at most a number" speak
//! of it: together they say that the counter is at most the number, and without a number nothing. So there are no such variables
//! here. Counters are integers.

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Derivation, Horn, Lin, Param, Pred, Sort, TermId, Terms, Var};
use suppose_smt::{SatResult, Solver, project};

use super::order::Order;
use crate::unroll::is_linear;

/// A system with counters.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Without bounds: it has a derivation of a query iff the original has.
    pub(super) horn: Horn,
    /// The counters of each predicate.
    counters: Vec<Vec<Var>>,
    /// For each clause the counter that it takes one from, before that.
    taken: Vec<Option<Var>>,
    /// Variables of the original.
    variables: usize,
}

impl Counted {
    /// The system with counters; none if a clause has several predicates in its body.
    pub(super) fn new(horn: &Horn) -> Option<Counted> {
        if !is_linear(horn) {
            return None;
        }
        let (mut edges, mut entries) = (Vec::new(), Vec::new());
        for clause in &horn.clauses {
            match (clause.body.first(), &clause.head) {
                (Some(body), Some(head)) => edges.push((body.pred.index(), head.pred.index())),
                (None, Some(head)) => entries.push(head.pred.index()),
                (_, None) => {}
            }
        }
        let order = Order::new(horn.predicates.len(), &edges, &entries);
        let mut counted = Counted {
            horn: horn.clone(),
            counters: Vec::new(),
            taken: Vec::new(),
            variables: horn.terms.var_count(),
        };
        for (predicate, heads) in counted.horn.predicates.iter_mut().zip(&order.heads) {
            let terms = &mut counted.horn.terms;
            let own: Vec<Var> = heads
                .iter()
                .map(|_| terms.fresh("left", Sort::Int))
                .collect();
            predicate.formals.extend_from_slice(&own);
            predicate
                .params
                .extend(own.iter().map(|&v| Param::Plain(v)));
            counted.counters.push(own);
        }
        for number in 0..counted.horn.clauses.len() {
            counted.count(number, &order);
        }
        Some(counted)
    }

    /// Adds counters to a clause.
    fn count(&mut self, number: usize, order: &Order) {
        let Horn { terms, clauses, .. } = &mut self.horn;
        let clause = &mut clauses[number];
        let heads = |pred: Option<usize>| pred.map_or(&[][..], |p| &order.heads[p]);
        let from = clause.body.first().map(|app| app.pred.index());
        let to = clause.head.as_ref().map(|app| app.pred.index());
        let mut fresh = |loops: &[usize]| -> Vec<Var> {
            loops
                .iter()
                .map(|_| terms.fresh("left", Sort::Int))
                .collect()
        };
        let (before, after) = (fresh(heads(from)), fresh(heads(to)));
        // Back to the head of a loop that it is in: see condition 3.6.
        let back = match (from, to) {
            (Some(from), Some(to)) if order.place[to] <= order.place[from] => Some(to),
            _ => None,
        };
        let mut parts = vec![clause.constraint];
        let mut taken = None;
        for (head, &counter) in heads(to).iter().zip(&after) {
            let earlier = heads(from).iter().position(|h| h == head);
            match earlier.map(|place| before[place]) {
                Some(earlier) if back == Some(*head) => {
                    parts.push(terms.eq(Lin::var(earlier).sub(&Lin::var(counter)).plus(-1)));
                    parts.push(not_negative(terms, counter));
                    taken = Some(earlier);
                }
                Some(earlier) if to != Some(*head) => parts.push(terms.equal(earlier, counter)),
                // Entered, at its head or elsewhere.
                _ => parts.push(not_negative(terms, counter)),
            }
        }
        for (head, &counter) in heads(from).iter().zip(&before) {
            if !heads(to).contains(head) {
                parts.push(terms.eq(Lin::var(counter)));
            }
        }
        clause.constraint = terms.and(parts);
        if let Some(app) = clause.body.first_mut() {
            app.args.extend(before);
        }
        if let Some(app) = &mut clause.head {
            app.args.extend(after);
        }
        self.taken.push(taken);
    }

    /// The system in which every loop is gone through at most this many times each time it is entered.
    pub(super) fn bounded(&self, iterations: u32) -> Horn {
        let mut horn = self.horn.clone();
        for (clause, taken) in horn.clauses.iter_mut().zip(&self.taken) {
            if let Some(counter) = taken {
                let bound = Lin::var(*counter).plus(-i64::from(iterations));
                let bounded = horn.terms.le(bound);
                clause.constraint = horn.terms.and([clause.constraint, bounded]);
            }
        }
        horn
    }

    /// The derivation without counters.
    pub(super) fn derivation(&self, mut derivation: Derivation) -> Derivation {
        for step in &mut derivation.steps {
            let mut values = suppose_model::chc::Assignment::default();
            for (var, value) in step.values.iter() {
                if var.index() < self.variables {
                    values.set(var, value.clone());
                }
            }
            step.values = values;
        }
        derivation
    }

    /// Lemma 10 of the thesis: invariants that prove the system with counters, said for all counters that are not negative, prove
    /// the original. (Whatever the counters after a clause are, there are such before it, so the step of the induction is one
    /// of the original.) None if the solver gives up on a quantifier.
    pub(super) fn definitions(
        &self,
        terms: &mut Terms,
        invariants: &[(Pred, TermId)],
        cx: &Context,
    ) -> Result<Option<Vec<TermId>>, Stopped> {
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); self.counters.len()];
        for &(pred, formula) in invariants {
            let counters = &self.counters[pred.index()];
            let Some(plain) = for_all(terms, counters, formula, cx)? else {
                return Ok(None);
            };
            parts[pred.index()].push(plain);
        }
        Ok(Some(parts.into_iter().map(|p| terms.and(p)).collect()))
    }
}

fn not_negative(terms: &mut Terms, counter: Var) -> TermId {
    terms.le(Lin::var(counter).neg())
}

/// The formula for all values of the counters that are not negative: what no cube of its negation reaches.
fn for_all(
    terms: &mut Terms,
    counters: &[Var],
    formula: TermId,
    cx: &Context,
) -> Result<Option<TermId>, Stopped> {
    let variables = terms.variables(formula);
    if !counters.iter().any(|c| variables.contains(c)) {
        return Ok(Some(formula));
    }
    let mut parts = vec![terms.not(formula)];
    for &counter in counters {
        parts.push(not_negative(terms, counter));
    }
    let wrong = terms.and(parts);
    let mut solver = Solver::new();
    solver.assert(terms, wrong);
    let mut all = Vec::new();
    loop {
        cx.check()?;
        match solver.check_patiently(terms, &[], cx)? {
            SatResult::Unknown => return Ok(None),
            SatResult::Unsat => return Ok(Some(terms.and(all))),
            SatResult::Sat => {
                let cube = project(terms, wrong, counters, solver.model());
                let not = terms.not(cube);
                solver.assert(terms, not);
                all.push(not);
            }
        }
    }
}
