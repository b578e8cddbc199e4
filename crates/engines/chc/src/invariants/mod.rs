//! Invariants of a fixed form, found before any search.
//!
//! Three abstract domains are computed over all clauses, each with the best transformer that the solver gives
//! (Reps, Sagiv and Yorsh): start from "unreached" everywhere; ask for a clause whose body, read by
//! what is known, leads out of what is known of its head; join the values of the model; repeat. What
//! is left when no clause leads out is inductive by construction.
//!
//! - [`affine`]: the equations between numbers that are always true. Ends after at most one more
//!   round than there are parameters, for each predicate.
//! - [`congruences`]: the remainders that sums and differences of two integers always leave. Ends, for moduli
//!   only get smaller by division.
//! - [`bounds`]: upper bounds of chosen linear forms (single parameters, sums and differences of two, and
//!   what the clauses compare), and Boolean parameters that never change. A bound that keeps growing
//!   jumps to the next constant of the clauses, and then is given up.

pub mod affine;
pub mod bounds;
pub mod congruences;

use std::collections::BTreeSet;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, Horn, Lin, Pred, Sort, TermId, Terms, Var};
use suppose_number::{Int, Rat};
use suppose_smt::{SatResult, Solver};

use crate::rules::{Rule, prepare};

/// What a domain knows of a predicate in a case (see [`Cases`]).
pub(crate) trait Domain {
    /// What is known, as formulas; `None` if the case is not reached.
    fn known(&self, terms: &mut Terms, pred: usize, case: usize) -> Option<Vec<TermId>>;
    /// From now on nothing is known of a predicate, in all cases.
    fn forget(&mut self, pred: usize);
    /// Takes in values that are outside of what is known.
    fn join(&mut self, terms: &Terms, pred: usize, case: usize, model: &Assignment);
}

/// Up to this many Boolean parameters each combination of their values is a case of its own.
const BOOLEANS: usize = 3;

/// What is known of a predicate is known for each case of its Boolean parameters by itself: flags mostly say which of
/// several relations between the numbers is meant.
pub(crate) struct Cases {
    booleans: Vec<Vec<Var>>,
}

impl Cases {
    pub fn of(horn: &Horn, terms: &Terms) -> Cases {
        let booleans = horn.predicates.iter().map(|p| {
            let all = p.formals.iter().copied();
            let all: Vec<Var> = all.filter(|&v| terms.sort(v) == Sort::Bool).collect();
            if all.len() <= BOOLEANS {
                all
            } else {
                Vec::new()
            }
        });
        Cases {
            booleans: booleans.collect(),
        }
    }

    /// How many cases a predicate has.
    pub fn count(&self, pred: usize) -> usize {
        1 << self.booleans[pred].len()
    }

    fn case(&self, pred: usize, model: &Assignment) -> usize {
        let bits = self.booleans[pred].iter().enumerate();
        bits.map(|(bit, &var)| usize::from(model.truth(var)) << bit)
            .sum()
    }

    /// The literals of which one is true unless the case is given.
    fn otherwise(&self, terms: &mut Terms, pred: usize, case: usize) -> Vec<TermId> {
        let bits = self.booleans[pred].iter().enumerate();
        bits.map(|(bit, &var)| {
            let literal = terms.var(var);
            if case >> bit & 1 == 1 {
                terms.not(literal)
            } else {
                literal
            }
        })
        .collect()
    }

    /// What a domain knows of a predicate in all cases; `None` if none is reached.
    pub fn known(
        &self,
        terms: &mut Terms,
        domain: &dyn Domain,
        pred: usize,
    ) -> Option<Vec<TermId>> {
        let mut all = Vec::new();
        let mut reached = false;
        for case in 0..self.count(pred) {
            let otherwise = self.otherwise(terms, pred, case);
            match domain.known(terms, pred, case) {
                None => all.push(terms.or(otherwise)),
                Some(known) => {
                    reached = true;
                    for formula in known {
                        let parts = otherwise.iter().copied().chain([formula]);
                        all.push(terms.or(parts));
                    }
                }
            }
        }
        reached.then_some(all)
    }
}

/// Runs a domain until no clause leads out of it. Where the solver gives up on a question, a clause may lead anywhere: nothing
/// is known of its head any more.
fn saturate(
    horn: &Horn,
    terms: &mut Terms,
    cases: &Cases,
    domain: &mut dyn Domain,
    facts: &[Vec<TermId>],
    cx: &Context,
) -> Result<(), Stopped> {
    let goal = Pred(horn.predicates.len() as u32);
    let derives = |c: &&suppose_model::chc::Clause| c.head.is_some();
    let rules: Vec<Rule> = horn
        .clauses
        .iter()
        .filter(derives)
        .map(|clause| prepare(horn, terms, 0, clause, goal))
        .collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); horn.predicates.len()];
    for (number, rule) in rules.iter().enumerate() {
        for site in &rule.body {
            users[site.pred.index()].push(number);
        }
    }
    let mut solvers: Vec<Option<Solver>> = rules.iter().map(|_| None).collect();
    let mut dirty: BTreeSet<usize> = (0..rules.len()).collect();
    while let Some(&number) = dirty.first() {
        cx.check()?;
        let rule = &rules[number];
        let Some(mut question) = body(horn, terms, cases, domain, rule) else {
            dirty.remove(&number);
            continue;
        };
        let pred = rule.head.index();
        if let Some(known) = cases.known(terms, domain, pred) {
            let inside = terms.and(known);
            question.push(terms.not(inside));
        }
        let solver = solvers[number].get_or_insert_with(|| solver(horn, terms, rule, facts));
        match solver.check(terms, &question, cx)? {
            SatResult::Unsat => {
                dirty.remove(&number);
                continue;
            }
            SatResult::Unknown => domain.forget(pred),
            SatResult::Sat => {
                let model = solver.model();
                domain.join(terms, pred, cases.case(pred, model), model);
            }
        }
        dirty.extend(users[pred].iter().copied());
    }
    Ok(())
}

/// A solver that knows a rule, and what is known of its body.
fn solver(horn: &Horn, terms: &mut Terms, rule: &Rule, facts: &[Vec<TermId>]) -> Solver {
    let mut solver = Solver::new();
    solver.assert(terms, rule.formula);
    for site in &rule.body {
        for &fact in &facts[site.pred.index()] {
            let fact = site.instance(terms, &horn.predicate(site.pred).formals, fact);
            solver.assert(terms, fact);
        }
    }
    solver
}

/// What is known of a rule's body; `None` if a predicate of it is not reached.
fn body(
    horn: &Horn,
    terms: &mut Terms,
    cases: &Cases,
    domain: &dyn Domain,
    rule: &Rule,
) -> Option<Vec<TermId>> {
    let mut all = Vec::new();
    for site in &rule.body {
        for known in cases.known(terms, domain, site.pred.index())? {
            all.push(site.instance(terms, &horn.predicate(site.pred).formals, known));
        }
    }
    Some(all)
}

/// Runs a domain to its end: what it knows of each predicate, false for one that is never reached.
pub(crate) fn run(
    horn: &Horn,
    terms: &mut Terms,
    cases: &Cases,
    domain: &mut dyn Domain,
    facts: &[Vec<TermId>],
    cx: &Context,
) -> Result<Vec<Vec<TermId>>, Stopped> {
    let count = horn.predicates.len();
    saturate(horn, terms, cases, domain, facts, cx)?;
    let known = |p| cases.known(terms, domain, p);
    let all = (0..count).map(known);
    Ok(all
        .map(|known| known.unwrap_or_else(|| vec![Terms::FALSE]))
        .collect())
}

/// The numeric parameters of a predicate.
pub(crate) fn numeric(terms: &Terms, formals: &[Var]) -> Vec<Var> {
    formals
        .iter()
        .copied()
        .filter(|&v| terms.sort(v) != Sort::Bool)
        .collect()
}

/// A combination of variables with rational factors plus a constant, times what makes it integer.
pub(crate) fn integer_form(vars: &[Var], factors: &[Rat], constant: &Rat) -> Lin {
    let mut scale = constant.den().clone();
    for factor in factors {
        scale = scale.lcm(factor.den());
    }
    let whole = |r: &Rat| -> Int { &r.num().clone() * &scale.div_exact(r.den()) };
    let mut lin = Lin::constant(whole(constant));
    for (&var, factor) in vars.iter().zip(factors) {
        lin = lin.add_scaled(&Lin::var(var), &whole(factor));
    }
    lin
}

/// How often each domain may ask whether to stop, which is a measure of its work: bounds of many forms can take long,
/// and mostly those that are found soon are the ones that help. A large system has more.
const WORK: u64 = 1_000;
/// The same for each clause of a large system.
const WORK_PER_CLAUSE: u64 = 100;
/// With this many clauses a system is a large one.
const LARGE: usize = 200;

/// All that the domains find, as formulas over the formal parameters of each predicate; a predicate that is
/// never reached gets false. A domain that takes too long gives nothing.
pub fn find(horn: &Horn, terms: &mut Terms, cx: &Context) -> Result<Vec<Vec<TermId>>, Stopped> {
    let nothing = vec![Vec::new(); horn.predicates.len()];
    let more = horn.clauses.len().saturating_sub(LARGE) as u64;
    let work = WORK + WORK_PER_CLAUSE * more;
    let few = cx.with_work(work);
    let mut found = within(affine::find(horn, terms, &few), cx)?.unwrap_or(nothing);
    for domain in [congruences::find, bounds::find] {
        let few = cx.with_work(work);
        let more = within(domain(horn, terms, &found, &few), cx)?;
        for (all, new) in found.iter_mut().zip(more.into_iter().flatten()) {
            all.extend(new);
        }
    }
    Ok(found)
}

/// Nothing, if only the domain's own bound was reached.
fn within<T>(result: Result<T, Stopped>, cx: &Context) -> Result<Option<T>, Stopped> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Stopped::Superseded) => cx.check().map(|()| None),
        Err(stopped) => Err(stopped),
    }
}
