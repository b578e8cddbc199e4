//! Predicates that are resolved away.
//!
//! A predicate that does not depend on itself is put in where it is used, if the clauses do not grow much by it.
//! Its definition is found afterwards: any formula will do that its own clauses imply and that gives its uses no
//! more than they can bear. Models of its clauses outside of what is found so far are projected to the parameters
//! and weakened as far as the uses allow, until there are none left.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::chc::{App, Pred, TermId, Terms, Var};
use suppose_smt::{SatResult, Solver, project};

use super::clauses;
use super::working::{Atom, Origin, Premise, Rule, Working};

/// A clause as it was when its predicate went.
#[derive(Clone, Debug)]
struct Past {
    body: Vec<App>,
    constraint: TermId,
    head: Option<App>,
}

impl Past {
    fn of(rule: &Rule) -> Past {
        Past {
            body: rule.body.iter().map(|atom| atom.app.clone()).collect(),
            constraint: rule.constraint,
            head: rule.head.clone(),
        }
    }
}

/// A predicate that went.
#[derive(Clone, Debug)]
pub(super) struct Inlined {
    pred: Pred,
    formals: Vec<Var>,
    /// The formal parameters of the other predicates in the clauses.
    others: Vec<(Pred, Vec<Var>)>,
    defining: Vec<Past>,
    uses: Vec<Past>,
}

/// Projections for one definition.
const MOST_CUBES: usize = 500;
/// Variables that a projection may have to remove.
const MOST_LOCALS: usize = 12;
/// Predicates in one body.
const LONGEST_BODY: usize = 4;
/// Formulas that are repeated in other clauses.
const MOST_REPEATED: usize = 3_000;
/// Original clauses that one clause is made of. A resolvent repeats its whole history, so without a bound a long chain
/// of predicates would take quadratic time.
const MOST_TOGETHER: usize = 200;

/// The rules while predicates are eliminated: in slots, so that what replaces a rule keeps its position, with an index
/// that is kept up to date.
struct RuleTable {
    slots: Vec<Vec<Rule>>,
    /// For each predicate the slots with a rule whose head it is.
    defining: Vec<BTreeSet<usize>>,
    /// For each predicate the slots with a rule that has it in its body.
    uses: Vec<BTreeSet<usize>>,
}

/// Resolves predicates away as long as there is a candidate, the first one first.
pub(super) fn run(system: &mut Working, cx: &Context) -> Result<Vec<Inlined>, Stopped> {
    let mut shelf = RuleTable::of(system);
    let mut open: BTreeSet<Pred> = (0..system.predicates.len() as u32).map(Pred).collect();
    let mut gone = Vec::new();
    while let Some(pred) = open.pop_first() {
        if shelf.is_worthwhile(&system.terms, pred) {
            cx.check()?;
            let (inlined, touched) = shelf.resolve_away(system, pred);
            gone.push(inlined);
            open.extend(touched);
        }
    }
    system.rules = shelf.slots.into_iter().flatten().collect();
    Ok(gone)
}

fn derives(rule: &Rule, pred: Pred) -> bool {
    rule.head.as_ref().is_some_and(|app| app.pred == pred)
}

fn count(rule: &Rule, pred: Pred) -> usize {
    rule.body
        .iter()
        .filter(|atom| atom.app.pred == pred)
        .count()
}

impl RuleTable {
    fn of(system: &mut Working) -> RuleTable {
        let none = vec![BTreeSet::new(); system.predicates.len()];
        let rules = std::mem::take(&mut system.rules);
        let mut shelf = RuleTable {
            slots: rules.into_iter().map(|rule| vec![rule]).collect(),
            defining: none.clone(),
            uses: none,
        };
        for slot in 0..shelf.slots.len() {
            shelf.enter(slot);
        }
        shelf
    }

    /// Puts the rules of a slot into the index.
    fn enter(&mut self, slot: usize) {
        for rule in &self.slots[slot] {
            for atom in &rule.body {
                self.uses[atom.app.pred.index()].insert(slot);
            }
            if let Some(head) = &rule.head {
                self.defining[head.pred.index()].insert(slot);
            }
        }
    }

    /// Empties a slot.
    fn take(&mut self, slot: usize) -> Vec<Rule> {
        let rules = std::mem::take(&mut self.slots[slot]);
        for app in rules.iter().flat_map(Rule::apps) {
            self.uses[app.pred.index()].remove(&slot);
            self.defining[app.pred.index()].remove(&slot);
        }
        rules
    }

    fn rules(&self, slots: &BTreeSet<usize>, which: impl Fn(&Rule) -> bool) -> Vec<&Rule> {
        let all = slots.iter().flat_map(|&slot| &self.slots[slot]);
        all.filter(|rule| which(rule)).collect()
    }

    fn is_worthwhile(&self, terms: &Terms, pred: Pred) -> bool {
        let defining = self.rules(&self.defining[pred.index()], |rule| derives(rule, pred));
        let uses = self.rules(&self.uses[pred.index()], |rule| count(rule, pred) > 0);
        let (d, u) = (defining.len(), uses.len());
        if d == 0 || u == 0 || d * u > d + u {
            return false;
        }
        // Once in each body, and not in that of its own clauses.
        if uses
            .iter()
            .any(|rule| count(rule, pred) > 1 || derives(rule, pred))
        {
            return false;
        }
        let longest = |rules: &[&Rule]| rules.iter().map(|r| r.body.len()).max().unwrap_or(0);
        if longest(&defining) + longest(&uses) > LONGEST_BODY.max(longest(&uses)) + 1 {
            return false;
        }
        let most = |rules: &[&Rule]| rules.iter().map(|r| r.nodes.len()).max().unwrap_or(0);
        if most(&defining) + most(&uses) > MOST_TOGETHER {
            return false;
        }
        // How often the formulas of each would be repeated.
        let size = |rules: &[&Rule], times: usize| match times {
            0 => 0,
            _ => {
                let size = |rule: &&Rule| terms.postorder(rule.constraint).len();
                rules.iter().map(size).sum::<usize>() * times
            }
        };
        size(&defining, u - 1) + size(&uses, d - 1) <= MOST_REPEATED && { defining }
            .iter()
            .all(|rule| locals(terms, rule) <= MOST_LOCALS)
    }

    /// The predicate that is eliminated, and the rest of the body.
    fn resolve_away(&mut self, system: &mut Working, pred: Pred) -> (Inlined, BTreeSet<Pred>) {
        let owned = |rules: Vec<&Rule>| -> Vec<Rule> { rules.into_iter().cloned().collect() };
        let slots = &self.defining[pred.index()] | &self.uses[pred.index()];
        let defining = owned(self.rules(&slots, |rule| derives(rule, pred)));
        let uses = owned(self.rules(&slots, |rule| count(rule, pred) > 0));
        let mut touched: BTreeSet<Pred> = BTreeSet::new();
        for slot in slots {
            for rule in self.take(slot) {
                touched.extend(rule.apps().map(|app| app.pred));
                if derives(&rule, pred) {
                    continue;
                }
                if count(&rule, pred) == 0 {
                    self.slots[slot].push(rule);
                    continue;
                }
                let only = uses.len() == 1;
                let resolvents = resolvents(&mut system.terms, &rule, &defining, only, pred);
                self.slots[slot].extend(resolvents);
            }
            self.enter(slot);
        }
        let all = defining.iter().chain(&uses).flat_map(Rule::apps);
        let others: BTreeSet<Pred> = all.map(|app| app.pred).collect();
        let formals = |p: Pred| system.predicates[p.index()].formals.clone();
        let inlined = Inlined {
            pred,
            formals: formals(pred),
            others: others.into_iter().map(|p| (p, formals(p))).collect(),
            defining: defining.iter().map(Past::of).collect(),
            uses: uses.iter().map(Past::of).collect(),
        };
        (inlined, touched)
    }
}

/// A clause with each definition of a predicate put in, without those that say nothing. `only`: it is the only one with the
/// predicate in its body.
fn resolvents(
    terms: &mut Terms,
    rule: &Rule,
    defining: &[Rule],
    only: bool,
    pred: Pred,
) -> Vec<Rule> {
    let mut all = Vec::new();
    for (number, definition) in defining.iter().enumerate() {
        // The first resolvent keeps the variables; no two clauses may share any.
        let base = if number == 0 {
            rule.clone()
        } else {
            rule.copy(terms, &FxHashMap::default())
        };
        let mut resolvent = resolve(terms, base, definition, only, pred);
        clauses::tidy_rule(terms, &mut resolvent);
        if !clauses::says_nothing(&resolvent) {
            all.push(resolvent);
        }
    }
    all
}

/// Variables that are not in the head.
fn locals(terms: &Terms, rule: &Rule) -> usize {
    let head: FxHashSet<Var> = rule
        .head
        .iter()
        .flat_map(|app| app.args.iter().copied())
        .collect();
    let mut all: FxHashSet<Var> = terms.variables(rule.constraint).into_iter().collect();
    all.extend(rule.arguments());
    all.difference(&head).count()
}

/// The clause with the predicate's only occurrence in its body replaced by the body of a defining clause.
fn resolve(terms: &mut Terms, mut rule: Rule, definition: &Rule, only: bool, pred: Pred) -> Rule {
    let Some(place) = rule.body.iter().position(|atom| atom.app.pred == pred) else {
        return rule;
    };
    let atom = rule.body.remove(place);
    let head = definition.head.as_ref().map_or(&[][..], |app| &app.args);
    let mut given: FxHashMap<Var, Var> = FxHashMap::default();
    let mut parts = vec![rule.constraint];
    for (&formal, &actual) in head.iter().zip(&atom.app.args) {
        let first = *given.entry(formal).or_insert(actual);
        if first != actual {
            parts.push(terms.equal(first, actual));
        }
    }
    let definition = match only {
        true => definition.moved(terms, &given),
        false => definition.copy(terms, &given),
    };
    parts.push(definition.constraint);
    rule.constraint = terms.and(parts);
    rule.fresh = true;
    let leaves = 1 + rule
        .nodes
        .iter()
        .flat_map(|n| &n.premises)
        .fold(0, |most, premise| match premise {
            Premise::Atom(leaf) => most.max(*leaf),
            Premise::Origin(_) => most,
        });
    let offset = rule.nodes.len();
    for origin in &mut rule.nodes {
        for premise in &mut origin.premises {
            if *premise == Premise::Atom(atom.leaf) {
                *premise = Premise::Origin(offset);
            }
        }
    }
    rule.nodes
        .extend(definition.nodes.into_iter().map(|origin| {
            Origin {
                premises: origin
                    .premises
                    .iter()
                    .map(|premise| match premise {
                        Premise::Atom(leaf) => Premise::Atom(leaf + leaves),
                        Premise::Origin(number) => Premise::Origin(number + offset),
                    })
                    .collect(),
                ..origin
            }
        }));
    let inner = definition.body.into_iter().map(|inner| Atom {
        leaf: inner.leaf + leaves,
        ..inner
    });
    rule.body.splice(place..place, inner);
    rule.undo.extend(definition.undo);
    rule
}

impl Inlined {
    /// The definition of the predicate, given those of the others; false if none was found within the bounds.
    pub(super) fn definitions(
        &self,
        terms: &mut Terms,
        definitions: &mut [TermId],
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let mut cases = Vec::new();
        for past in &self.defining {
            let Some(head) = &past.head else { continue };
            let case = self.instance(terms, &past.body, past.constraint, definitions);
            cases.push(self.at_formals(terms, case, head));
        }
        let strongest = terms.or(cases);
        let inside: FxHashSet<Var> = self.formals.iter().copied().collect();
        let locals = |terms: &Terms, formula: TermId| -> Vec<Var> {
            let all = terms.variables(formula).into_iter();
            all.filter(|v| !inside.contains(v)).collect()
        };
        let inner = locals(terms, strongest);
        if inner.is_empty() {
            definitions[self.pred.index()] = strongest;
            return Ok(true);
        }
        let forbidden = self.forbidden(terms, definitions);
        let outer = locals(terms, forbidden);
        // From inside what is implied, or from outside what is forbidden: the easier one first.
        let sides = if outer.len() < inner.len() {
            [false, true]
        } else {
            [true, false]
        };
        for from_inside in sides {
            let found = if from_inside {
                cover(terms, strongest, &inner, forbidden, cx)?
            } else {
                let excluded = cover(terms, forbidden, &outer, strongest, cx)?;
                excluded.map(|formula| terms.not(formula))
            };
            if let Some(definition) = found {
                definitions[self.pred.index()] = definition;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn formals_of(&self, pred: Pred) -> &[Var] {
        let found = self.others.iter().find(|(p, _)| *p == pred);
        found.map_or(&[], |(_, formals)| formals)
    }

    /// A constraint with the definitions of a body.
    fn instance(
        &self,
        terms: &mut Terms,
        body: &[App],
        constraint: TermId,
        definitions: &[TermId],
    ) -> TermId {
        let mut parts = vec![constraint];
        for app in body.iter().filter(|app| app.pred != self.pred) {
            parts.push(self.applied(terms, app, definitions));
        }
        terms.and(parts)
    }

    fn applied(&self, terms: &mut Terms, app: &App, definitions: &[TermId]) -> TermId {
        let pairs: Vec<(Var, Var)> = self
            .formals_of(app.pred)
            .iter()
            .copied()
            .zip(app.args.iter().copied())
            .collect();
        terms.replace(definitions[app.pred.index()], &pairs)
    }

    /// A formula over a clause's variables, linked to the formal parameters.
    fn at_formals(&self, terms: &mut Terms, formula: TermId, app: &App) -> TermId {
        let mut pairs: FxHashMap<Var, Var> = FxHashMap::default();
        let mut links = Vec::new();
        for (&var, &formal) in app.args.iter().zip(&self.formals) {
            match pairs.get(&var) {
                None => {
                    pairs.insert(var, formal);
                }
                Some(&first) => links.push(terms.equal(first, formal)),
            }
        }
        let mut pairs: Vec<(Var, Var)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let moved = terms.replace(formula, &pairs);
        links.push(moved);
        terms.and(links)
    }

    /// What the definition must not contain: where a use would be false.
    fn forbidden(&self, terms: &mut Terms, definitions: &[TermId]) -> TermId {
        let mut cases = Vec::new();
        for past in &self.uses {
            let Some(app) = past.body.iter().find(|app| app.pred == self.pred) else {
                continue;
            };
            let mut case = self.instance(terms, &past.body, past.constraint, definitions);
            if let Some(head) = &past.head {
                let head = self.applied(terms, head, definitions);
                let not = terms.not(head);
                case = terms.and([case, not]);
            }
            cases.push(self.at_formals(terms, case, app));
        }
        terms.or(cases)
    }
}

/// A formula without the variables that `formula` implies and that excludes `forbidden`.
fn cover(
    terms: &mut Terms,
    formula: TermId,
    locals: &[Var],
    forbidden: TermId,
    cx: &Context,
) -> Result<Option<TermId>, Stopped> {
    if locals.is_empty() {
        return Ok(Some(formula));
    }
    let mut inside = Solver::new();
    inside.assert(terms, formula);
    let mut outside = Solver::new();
    outside.assert(terms, forbidden);
    let mut found = Vec::new();
    for _ in 0..MOST_CUBES {
        cx.check()?;
        match inside.check_patiently(terms, &[], cx)? {
            SatResult::Unsat => return Ok(Some(terms.or(found))),
            SatResult::Unknown => return Ok(None),
            SatResult::Sat => {}
        }
        let model = inside.model().clone();
        let cube = project(terms, formula, locals, &model);
        let literals = terms.conjuncts(cube);
        if outside.check_patiently(terms, &literals, cx)? != SatResult::Unsat {
            return Ok(None);
        }
        let core = outside.core().to_vec();
        let weaker = terms.and(core);
        found.push(weaker);
        let not = terms.not(weaker);
        inside.assert(terms, not);
    }
    Ok(None)
}
