//! Bounded search for derivations of linear systems: chains of clauses, unrolled step by step.
//!
//! A clause with one predicate in its body at most makes a step of a chain. For each depth the
//! solver is asked for a chain that ends in a query; it is a cheap partner of [`crate::recmc`], good at deep
//! violations, and never says that a system holds.

use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::chc::{Derivation, Horn, Pred, TermId, Terms, Value, Var};
use suppose_smt::SatResult;

use crate::unroll::{Taken, Unrolling};
use crate::{ChcVerdict, Work};

pub use crate::unroll::is_linear;

/// Looks for a derivation, deeper and deeper. A system that is not linear is refused.
pub fn solve(horn: &Horn, cx: &Context) -> (ChcVerdict, Work) {
    solve_within(horn, usize::MAX, cx)
}

/// The same until this many clauses are unrolled: a layer of a system with many loops has a copy of each, and all layers stay.
pub fn solve_within(horn: &Horn, most: usize, cx: &Context) -> (ChcVerdict, Work) {
    let mut work = Work::default();
    if !is_linear(horn) {
        let why = "a clause has several predicates in its body".to_owned();
        return (ChcVerdict::unknown(Reason::Unsupported(why), 0), work);
    }
    let mut chains = Chains(Unrolling::new(horn));
    loop {
        if chains.0.layers.iter().map(Vec::len).sum::<usize>() > most {
            let why = "the chains of clauses unrolled so far take too much room".to_owned();
            return (
                ChcVerdict::unknown(Reason::Unsupported(why), work.bound),
                work,
            );
        }
        match chains.deeper(cx, &mut work) {
            Ok(None) => work.bound += 1,
            Ok(Some(derivation)) => return (ChcVerdict::Violated(derivation), work),
            Err(reason) => return (ChcVerdict::unknown(reason, work.bound), work),
        }
    }
}

/// Chains from the facts: a layer is a distance from them.
struct Chains<'a>(Unrolling<'a>);

impl Chains<'_> {
    /// One more step; a derivation that ends with it, if there is one.
    fn deeper(&mut self, cx: &Context, work: &mut Work) -> Result<Option<Derivation>, Reason> {
        cx.check()?;
        let depth = self.0.layers.len();
        cx.emit(Event::Iteration {
            number: depth as u64 + 1,
            abstract_size: 0,
        });
        self.unroll(cx)?;
        if self.0.layers[depth].is_empty() {
            let why = "no chain of clauses is longer, so there is nothing more to look for";
            return Err(Reason::Unsupported(why.to_owned()));
        }
        let ends = self.givers(depth, self.0.goal).map(|t| t.used);
        let ends: Vec<TermId> = ends.collect();
        let end = self.0.terms.or(ends);
        if end == Terms::FALSE {
            return Ok(None);
        }
        work.queries += 1;
        match self
            .0
            .solver
            .check_patiently(&mut self.0.terms, &[end], cx)?
        {
            SatResult::Unsat => Ok(None),
            SatResult::Sat => Ok(Some(self.derivation(depth))),
            SatResult::Unknown => Err(Reason::Unsupported(crate::UNDECIDED.to_owned())),
        }
    }

    /// Adds the rules that can be taken next.
    fn unroll(&mut self, cx: &Context) -> Result<(), Stopped> {
        let depth = self.0.layers.len();
        let mut here = Vec::new();
        for number in 0..self.0.rules.len() {
            let callee = self.0.rules[number].body.first().map(|site| site.pred);
            let follows = match callee {
                None => depth == 0,
                Some(pred) => depth > 0 && self.givers(depth - 1, pred).next().is_some(),
            };
            if !follows {
                continue;
            }
            cx.check()?;
            let taken = self.0.take(number);
            if let Some((pred, vars)) = self.0.body_vars(&taken) {
                let givers = self.givers(depth - 1, pred);
                let givers: Vec<(TermId, Vec<Var>)> =
                    givers.map(|t| (t.used, self.0.head_vars(t))).collect();
                self.0.connect(taken.used, &vars, givers);
            }
            here.push(taken);
        }
        self.0.layers.push(here);
        Ok(())
    }

    /// The rules of a layer that derive a predicate.
    fn givers(&self, layer: usize, pred: Pred) -> impl Iterator<Item = &Taken> {
        let rules = &self.0.rules;
        let taken = self.0.layers[layer].iter();
        taken.filter(move |t| rules[t.rule].head == pred)
    }

    /// The chain of the last model, found from its end.
    fn derivation(&self, depth: usize) -> Derivation {
        let mut steps = Vec::new();
        let mut wanted: Option<(Pred, Vec<Value>)> = Some((self.0.goal, Vec::new()));
        for layer in (0..=depth).rev() {
            let head = |t: &Taken| Some((self.0.rules[t.rule].head, self.0.head_vars(t)));
            let Some(taken) = self.0.find(layer, &wanted, head) else {
                break;
            };
            steps.push(self.0.inference(taken, layer.checked_sub(1)));
            let body = self.0.body_vars(taken);
            wanted = body.map(|(pred, vars)| (pred, self.0.values(&vars)));
        }
        steps.reverse();
        Derivation { steps }
    }
}
