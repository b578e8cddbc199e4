//! Bounded search for derivations of linear systems: chains of clauses, unrolled step by step.
//!
//! A clause with one predicate in its body at most makes a step of a chain. For each depth the
//! solver is asked for a chain that ends in a query; it is a cheap partner of [`crate::recmc`], good at deep
//! violations, and never says that a system holds.

use rustc_hash::FxHashMap;
use suppose_model::Reason;
use suppose_model::horn::{
    Assignment, Derivation, Horn, Inference, Pred, Sort, TermId, Terms, Value, Var,
};
use suppose_refine::{Context, Event};
use suppose_smt::{Outcome, Solver};

use crate::recmc::literal;
use crate::rules::{Rule, equal, prepare};
use crate::{Found, Work};

/// Has every clause one predicate in its body at most?
pub fn is_linear(horn: &Horn) -> bool {
    horn.clauses.iter().all(|c| c.body.len() <= 1)
}

/// Looks for a derivation, deeper and deeper. A system that is not linear is refused.
pub fn solve(horn: &Horn, cx: &Context) -> (Found, Work) {
    let mut work = Work::default();
    if !is_linear(horn) {
        let why = "a clause has several predicates in its body".to_owned();
        return (unknown(Reason::Unsupported(why), 0), work);
    }
    let mut unrolling = Unrolling::new(horn);
    loop {
        match unrolling.deeper(cx, &mut work) {
            Ok(None) => work.bound += 1,
            Ok(Some(derivation)) => return (Found::Violated(derivation), work),
            Err(reason) => return (unknown(reason, work.bound), work),
        }
    }
}

fn unknown(reason: Reason, depth: u32) -> Found {
    Found::Unknown {
        reason,
        bound: depth.checked_sub(1),
        candidates: None,
    }
}

/// A rule taken at a depth.
struct Taken {
    rule: usize,
    used: TermId,
    /// The variables of the rule, here.
    copy: FxHashMap<Var, Var>,
}

struct Unrolling<'a> {
    horn: &'a Horn,
    terms: Terms,
    rules: Vec<Rule>,
    goal: Pred,
    solver: Solver,
    /// For each depth the rules that can be taken there.
    depths: Vec<Vec<Taken>>,
}

impl<'a> Unrolling<'a> {
    fn new(horn: &'a Horn) -> Self {
        let mut terms = horn.terms.clone();
        let goal = Pred(horn.predicates.len() as u32);
        let rules = horn.clauses.iter().enumerate();
        let rules = rules
            .map(|(i, clause)| prepare(horn, &mut terms, i, clause, goal))
            .collect();
        Unrolling {
            horn,
            terms,
            rules,
            goal,
            solver: Solver::new(),
            depths: Vec::new(),
        }
    }

    /// One more step; a derivation that ends with it, if there is one.
    fn deeper(&mut self, cx: &Context, work: &mut Work) -> Result<Option<Derivation>, Reason> {
        cx.check()?;
        let depth = self.depths.len();
        cx.emit(Event::Iteration {
            number: depth as u64 + 1,
            abstract_size: 0,
        });
        self.unroll();
        let ends: Vec<TermId> = self.depths[depth]
            .iter()
            .filter(|t| self.rules[t.rule].head == self.goal)
            .map(|t| t.used)
            .collect();
        if self.depths[depth].is_empty() {
            let why = "no chain of clauses is longer, so there is nothing more to look for";
            return Err(Reason::Unsupported(why.to_owned()));
        }
        let end = self.terms.or(ends);
        if end == Terms::FALSE {
            return Ok(None);
        }
        work.queries += 1;
        match self.solver.check(&mut self.terms, &[end], cx)? {
            Outcome::Unsat => Ok(None),
            Outcome::Sat => Ok(Some(self.derivation(depth))),
            Outcome::Unknown => {
                let why = "the solver did not decide a question about integers within its bounds";
                Err(Reason::Unsupported(why.to_owned()))
            }
        }
    }

    /// Adds the rules that can be taken next.
    fn unroll(&mut self) {
        let depth = self.depths.len();
        let mut here = Vec::new();
        for number in 0..self.rules.len() {
            let rule = self.rules[number].clone();
            let follows = match rule.body.first() {
                None => depth == 0,
                Some(site) => depth > 0 && self.givers(depth - 1, site.pred).next().is_some(),
            };
            if !follows {
                continue;
            }
            let used = literal(&mut self.terms, "used");
            let copy = self.copy(&rule);
            let pairs: Vec<(Var, Var)> = sorted(&copy);
            let formula = self.terms.replace(rule.formula, &pairs);
            self.assert_if(used, formula);
            if let Some(site) = rule.body.first() {
                self.connect(depth - 1, used, site.pred, &site.args, &copy);
            }
            here.push(Taken {
                rule: number,
                used,
                copy,
            });
        }
        self.depths.push(here);
    }

    fn givers(&self, depth: usize, pred: Pred) -> impl Iterator<Item = &Taken> {
        let rules = &self.rules;
        self.depths[depth]
            .iter()
            .filter(move |t| rules[t.rule].head == pred)
    }

    fn copy(&mut self, rule: &Rule) -> FxHashMap<Var, Var> {
        let mut all: Vec<Var> = rule.renamed.iter().map(|(_, here)| *here).collect();
        if rule.head != self.goal {
            all.extend_from_slice(&self.horn.predicate(rule.head).formals);
        }
        all.sort_unstable();
        all.dedup();
        let terms = &mut self.terms;
        let fresh = all.into_iter().map(|v| {
            let name = terms.name(v).to_owned();
            (v, terms.fresh(&name, terms.sort(v)))
        });
        fresh.collect()
    }

    fn assert_if(&mut self, condition: TermId, formula: TermId) {
        let formula = self.terms.implies(condition, formula);
        self.solver.assert(&mut self.terms, formula);
    }

    /// A rule taken after another: some rule gave what it takes.
    fn connect(
        &mut self,
        depth: usize,
        used: TermId,
        pred: Pred,
        args: &[Var],
        copy: &FxHashMap<Var, Var>,
    ) {
        let formals = self.horn.predicate(pred).formals.clone();
        let givers: Vec<(TermId, Vec<Var>)> = self
            .givers(depth, pred)
            .map(|t| (t.used, formals.iter().map(|f| t.copy[f]).collect()))
            .collect();
        let mut choices = Vec::new();
        for (given, values) in givers {
            let choice = literal(&mut self.terms, "from");
            self.assert_if(choice, given);
            for (arg, value) in args.iter().zip(values) {
                let same = equal(&mut self.terms, copy[arg], value);
                self.assert_if(choice, same);
            }
            choices.push(choice);
        }
        let some = self.terms.or(choices);
        self.assert_if(used, some);
    }

    /// The chain of the last model.
    fn derivation(&self, depth: usize) -> Derivation {
        let model = self.solver.model();
        let mut steps = Vec::new();
        let mut want: Option<(Pred, Vec<Value>)> = None;
        for at in (0..=depth).rev() {
            let fits = |t: &&Taken| self.fits(t, model, want.as_ref());
            let Some(taken) = self.depths[at].iter().find(fits) else {
                break;
            };
            let rule = &self.rules[taken.rule];
            let mut values = Assignment::default();
            for (var, here) in &rule.renamed {
                values.set(*var, self.value(model, taken.copy[here]));
            }
            want = rule.body.first().map(|site| {
                let given = site.args.iter().map(|v| self.value(model, taken.copy[v]));
                (site.pred, given.collect())
            });
            steps.push(Inference {
                clause: rule.clause,
                values,
                premises: Vec::new(),
            });
        }
        steps.reverse();
        for (i, step) in steps.iter_mut().enumerate() {
            step.premises = (i > 0).then(|| i - 1).into_iter().collect();
        }
        Derivation { steps }
    }

    fn fits(&self, taken: &Taken, model: &Assignment, want: Option<&(Pred, Vec<Value>)>) -> bool {
        let head = self.rules[taken.rule].head;
        if !model.eval(&self.terms, taken.used) {
            return false;
        }
        match want {
            None => head == self.goal,
            Some((pred, values)) => {
                head == *pred && {
                    let formals = self.horn.predicate(*pred).formals.iter();
                    let given = formals.map(|f| self.value(model, taken.copy[f]));
                    given.eq(values.iter().cloned())
                }
            }
        }
    }

    fn value(&self, model: &Assignment, var: Var) -> Value {
        if self.terms.sort(var) == Sort::Bool {
            Value::Bool(model.truth(var))
        } else {
            Value::Num(model.number(var))
        }
    }
}

fn sorted(map: &FxHashMap<Var, Var>) -> Vec<(Var, Var)> {
    let mut all: Vec<(Var, Var)> = map.iter().map(|(a, b)| (*a, *b)).collect();
    all.sort_unstable();
    all
}
