//! Backward induction on linear systems: how long can a chain of clauses be that ends in a query?
//!
//! Chains are unrolled from the queries backwards, from any values at all. If no chain of `k` clauses exists, all
//! derivations of a query are shorter; those are looked for on the way, and if there is none the system
//! holds: it is `k`-inductive. The definitions say that a predicate's values do not lead to a query by a shorter
//! chain; the values that do are found by projection, as long as that takes few cubes. Like [`crate::bmc`] this is
//! a cheap partner of the main search, and gives up on what is not for it.

use rustc_hash::FxHashMap;
use suppose_model::Reason;
use suppose_model::horn::{
    Assignment, Derivation, Horn, Inference, Pred, Sort, TermId, Terms, Value, Var,
};
use suppose_refine::{Context, Event, Stopped};
use suppose_smt::{Outcome, Solver, project};

use crate::recmc::literal;
use crate::rules::{Rule, equal, prepare};
use crate::{Found, Work, bmc};

/// Cubes of values that lead to a query, for one chain of places.
const CUBES: usize = 60;
/// Longer chains than this are not unrolled.
const LONGEST: usize = 40;

/// Decides a linear system, or gives up.
pub fn solve(horn: &Horn, cx: &Context) -> (Found, Work) {
    let mut work = Work::default();
    if !bmc::is_linear(horn) {
        let why = "a clause has several predicates in its body".to_owned();
        return (unknown(Reason::Unsupported(why), 0), work);
    }
    let mut chains = Chains::new(horn);
    let found = chains.run(cx, &mut work);
    let found = found.unwrap_or_else(|stopped| unknown(stopped.into(), work.bound));
    (found, work)
}

fn unknown(reason: Reason, depth: u32) -> Found {
    Found::Unknown {
        reason,
        bound: depth.checked_sub(1),
        candidates: None,
    }
}

fn gives_up(why: &str, depth: u32) -> Found {
    unknown(Reason::Unsupported(why.to_owned()), depth)
}

/// A rule taken so many steps before the query.
struct Taken {
    rule: usize,
    used: TermId,
    copy: FxHashMap<Var, Var>,
}

struct Chains<'a> {
    horn: &'a Horn,
    terms: Terms,
    rules: Vec<Rule>,
    goal: Pred,
    solver: Solver,
    /// The formulas that the solver was told, for projection.
    told: Vec<TermId>,
    /// By distance from the query.
    layers: Vec<Vec<Taken>>,
    /// For each predicate the cubes over its formal parameters that lead to a query.
    bad: Vec<Vec<TermId>>,
}

impl<'a> Chains<'a> {
    fn new(horn: &'a Horn) -> Self {
        let mut terms = horn.terms.clone();
        let goal = Pred(horn.predicates.len() as u32);
        let rules = horn.clauses.iter().enumerate();
        let rules = rules
            .map(|(i, clause)| prepare(horn, &mut terms, i, clause, goal))
            .collect();
        Chains {
            horn,
            terms,
            rules,
            goal,
            solver: Solver::new(),
            told: Vec::new(),
            layers: Vec::new(),
            bad: vec![Vec::new(); horn.predicates.len()],
        }
    }

    fn run(&mut self, cx: &Context, work: &mut Work) -> Result<Found, Stopped> {
        loop {
            cx.check()?;
            let depth = self.layers.len();
            cx.emit(Event::Iteration {
                number: depth as u64 + 1,
                abstract_size: 0,
            });
            if depth > LONGEST {
                return Ok(gives_up(
                    "chains that end in a query are too long",
                    work.bound,
                ));
            }
            self.unroll();
            work.bound = depth as u32 + 1;
            work.queries += 2;
            match self.ask(depth, true, cx)? {
                Outcome::Sat => return Ok(Found::Violated(self.derivation(depth))),
                Outcome::Unknown => return Ok(gives_up(UNDECIDED, work.bound)),
                Outcome::Unsat => {}
            }
            match self.ask(depth, false, cx)? {
                Outcome::Sat => {}
                Outcome::Unknown => return Ok(gives_up(UNDECIDED, work.bound)),
                Outcome::Unsat => {
                    let Some(definitions) = self.definitions(depth, cx)? else {
                        let why = "what leads to a query takes too many cubes to write down";
                        return Ok(gives_up(why, work.bound));
                    };
                    return Ok(Found::Holds {
                        terms: Box::new(self.terms.clone()),
                        definitions,
                    });
                }
            }
        }
    }

    /// Is there a chain whose first clause, at that distance, has no body (`complete`), or has one?
    fn ask(&mut self, depth: usize, complete: bool, cx: &Context) -> Result<Outcome, Stopped> {
        let rules = &self.rules;
        let starts: Vec<TermId> = self.layers[depth]
            .iter()
            .filter(|t| rules[t.rule].body.is_empty() == complete)
            .map(|t| t.used)
            .collect();
        let start = self.terms.or(starts);
        if start == Terms::FALSE {
            return Ok(Outcome::Unsat);
        }
        self.solver.check(&mut self.terms, &[start], cx)
    }

    fn unroll(&mut self) {
        let depth = self.layers.len();
        let mut here = Vec::new();
        for number in 0..self.rules.len() {
            let rule = self.rules[number].clone();
            let leads = match depth {
                0 => rule.head == self.goal,
                _ => rule.head != self.goal && self.takers(depth - 1, rule.head).next().is_some(),
            };
            if !leads {
                continue;
            }
            let used = literal(&mut self.terms, "used");
            let copy = self.copy(&rule);
            let mut pairs: Vec<(Var, Var)> = copy.iter().map(|(a, b)| (*a, *b)).collect();
            pairs.sort_unstable();
            let formula = self.terms.replace(rule.formula, &pairs);
            self.tell_if(used, formula);
            if depth > 0 {
                self.connect(depth - 1, used, rule.head, &copy);
            }
            here.push(Taken {
                rule: number,
                used,
                copy,
            });
        }
        self.layers.push(here);
    }

    /// The rules of a layer that take a predicate.
    fn takers(&self, layer: usize, pred: Pred) -> impl Iterator<Item = &Taken> {
        let rules = &self.rules;
        let takes = move |t: &&Taken| rules[t.rule].body.first().is_some_and(|s| s.pred == pred);
        self.layers[layer].iter().filter(takes)
    }

    fn copy(&mut self, rule: &Rule) -> FxHashMap<Var, Var> {
        let mut all: Vec<Var> = rule.renamed.iter().map(|(_, here)| *here).collect();
        if rule.head != self.goal {
            all.extend_from_slice(&self.horn.predicate(rule.head).formals);
        }
        all.sort_unstable();
        all.dedup();
        let mut copy = FxHashMap::default();
        for var in all {
            let name = self.terms.name(var).to_owned();
            let sort = self.terms.sort(var);
            copy.insert(var, self.terms.fresh(&name, sort));
        }
        copy
    }

    fn tell_if(&mut self, condition: TermId, formula: TermId) {
        let formula = self.terms.implies(condition, formula);
        self.told.push(formula);
        self.solver.assert(&mut self.terms, formula);
    }

    /// What a rule gives is taken by a rule of the layer before.
    fn connect(&mut self, layer: usize, used: TermId, head: Pred, copy: &FxHashMap<Var, Var>) {
        let formals = self.horn.predicate(head).formals.clone();
        let rules = &self.rules;
        let takers: Vec<(TermId, Vec<Var>)> = self
            .takers(layer, head)
            .map(|t| {
                let args = rules[t.rule].body[0].args.iter();
                (t.used, args.map(|v| t.copy[v]).collect())
            })
            .collect();
        let mut choices = Vec::new();
        for (taken, args) in takers {
            let choice = literal(&mut self.terms, "to");
            self.tell_if(choice, taken);
            for (formal, arg) in formals.iter().zip(args) {
                let same = equal(&mut self.terms, copy[formal], arg);
                self.tell_if(choice, same);
            }
            choices.push(choice);
        }
        let some = self.terms.or(choices);
        self.tell_if(used, some);
    }

    /// Of each predicate: not what leads to a query by chains up to that length.
    fn definitions(&mut self, depth: usize, cx: &Context) -> Result<Option<Vec<TermId>>, Stopped> {
        for layer in 0..depth {
            for index in 0..self.layers[layer].len() {
                if !self.collect(layer, index, cx)? {
                    return Ok(None);
                }
            }
        }
        let mut definitions = Vec::new();
        for cubes in self.bad.clone() {
            let bad = self.terms.or(cubes);
            definitions.push(self.terms.not(bad));
        }
        Ok(Some(definitions))
    }

    /// The values from which that rule at that distance leads to a query. False if they take too many cubes.
    fn collect(&mut self, layer: usize, index: usize, cx: &Context) -> Result<bool, Stopped> {
        let taken = &self.layers[layer][index];
        let Some(site) = self.rules[taken.rule].body.first().cloned() else {
            return Ok(true);
        };
        let used = taken.used;
        let args: Vec<Var> = site.args.iter().map(|v| taken.copy[v]).collect();
        let formals = self.horn.predicate(site.pred).formals.clone();
        let here = crate::rules::Site {
            pred: site.pred,
            args,
        };
        let mut parts = self.told.clone();
        parts.push(used);
        let chain = self.terms.and(parts);
        let all: Vec<Var> = self.terms.variables(chain);
        let removed: Vec<Var> = all.into_iter().filter(|v| !here.args.contains(v)).collect();
        for _ in 0..CUBES {
            let mut question = vec![used];
            for bad in self.bad[site.pred.index()].clone() {
                let known = here.instance(&mut self.terms, &formals, bad);
                question.push(self.terms.not(known));
            }
            match self.solver.check(&mut self.terms, &question, cx)? {
                Outcome::Unsat => return Ok(true),
                Outcome::Unknown => return Ok(false),
                Outcome::Sat => {}
            }
            let model = self.solver.model().clone();
            let cube = project(&mut self.terms, chain, &removed, &model);
            let literals = self.terms.conjuncts(cube);
            let literals = here.abstracted(&mut self.terms, &formals, &literals);
            let cube = self.terms.and(literals);
            self.bad[site.pred.index()].push(cube);
        }
        Ok(false)
    }

    /// The complete chain of the last model, first clause first.
    fn derivation(&self, depth: usize) -> Derivation {
        let model = self.solver.model();
        let mut steps: Vec<Inference> = Vec::new();
        let mut given: Option<(Pred, Vec<Value>)> = None;
        for layer in (0..=depth).rev() {
            let fits = |t: &&Taken| self.fits(t, model, given.as_ref());
            let Some(taken) = self.layers[layer].iter().find(fits) else {
                break;
            };
            let rule = &self.rules[taken.rule];
            let mut values = Assignment::default();
            for (var, here) in &rule.renamed {
                values.set(*var, self.value(model, taken.copy[here]));
            }
            if rule.head != self.goal {
                let formals = self.horn.predicate(rule.head).formals.iter();
                let head = formals.map(|f| self.value(model, taken.copy[f]));
                given = Some((rule.head, head.collect()));
            }
            steps.push(Inference {
                clause: rule.clause,
                values,
                premises: steps.len().checked_sub(1).into_iter().collect(),
            });
        }
        Derivation { steps }
    }

    fn fits(&self, taken: &Taken, model: &Assignment, given: Option<&(Pred, Vec<Value>)>) -> bool {
        if !model.eval(&self.terms, taken.used) {
            return false;
        }
        match (given, self.rules[taken.rule].body.first()) {
            (None, None) => true,
            (Some((pred, values)), Some(site)) => {
                let args = site.args.iter();
                site.pred == *pred
                    && args
                        .map(|v| self.value(model, taken.copy[v]))
                        .eq(values.iter().cloned())
            }
            _ => false,
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

const UNDECIDED: &str = "the solver did not decide a question about integers within its bounds";
