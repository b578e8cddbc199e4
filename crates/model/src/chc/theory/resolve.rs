//! Removes predicates by resolution.
//!
//! A predicate that no clause derives from itself is replaced, wherever it is needed, by what its clauses say.
//! Every derivation of the old system gives one of the new system and the other way round: each new clause is a
//! tree of old ones.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tidy::{Rule, tidy};
use super::{Fact, Theory};
use crate::chc::{App, Clause, Horn, Pred, Terms, Var};

/// Clauses of the original system, one on top of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The number of the clause.
    pub clause: usize,
    /// For each predicate of its body the clauses that derive it; none where that is left to another clause.
    pub premises: Vec<Option<Tree>>,
}

impl Tree {
    fn leaf(clause: usize, body: usize) -> Tree {
        Tree {
            clause,
            premises: vec![None; body],
        }
    }

    /// Puts a tree where the `place`-th premise is missing. The number of missing premises passed, if that one is
    /// not here.
    fn graft(&mut self, mut place: usize, tree: &Tree) -> Result<(), usize> {
        for premise in &mut self.premises {
            match premise {
                None if place == 0 => {
                    *premise = Some(tree.clone());
                    return Ok(());
                }
                None => place -= 1,
                Some(inner) => match inner.graft(place, tree) {
                    Ok(()) => return Ok(()),
                    Err(left) => place = left,
                },
            }
        }
        Err(place)
    }
}

/// A system with fewer predicates, and where its clauses came from.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The clauses. Predicates keep their numbers; those without clauses are gone.
    pub horn: Horn,
    /// What relates names in them.
    pub theory: Theory,
    /// For each clause the clauses it is made of; missing premises are those of its body, in order.
    pub trees: Vec<Tree>,
}

/// Clauses of a system after which no predicate is removed that has several clauses and several uses.
const MOST_CLAUSES: usize = 2_000;
/// Facts and arguments of a clause that is still put into others.
const MOST_SIZE: usize = 4_000;

struct Working {
    terms: Terms,
    names: FxHashMap<Var, u32>,
    rules: Vec<(Rule, Tree)>,
}

/// Removes what can be removed. Takes the same decisions for the same system.
pub fn resolved(horn: &Horn, theory: &Theory) -> Resolved {
    let mut work = Working {
        terms: horn.terms.clone(),
        names: theory.names.clone(),
        rules: Vec::new(),
    };
    for (number, (clause, facts)) in horn.clauses.iter().zip(&theory.facts).enumerate() {
        let mut rule = Rule {
            body: clause.body.clone(),
            constraint: clause.constraint,
            head: clause.head.clone(),
            facts: facts.clone(),
        };
        let tree = Tree::leaf(number, clause.body.len());
        tidy(&mut work.terms, &mut rule);
        work.add(rule, tree);
    }
    work.slice(horn.predicates.len());
    while let Some(pred) = work.candidate(horn.predicates.len()) {
        work.remove(pred);
        work.slice(horn.predicates.len());
    }
    work.finish(horn, theory)
}

impl Working {
    fn add(&mut self, rule: Rule, tree: Tree) {
        if rule.constraint != Terms::FALSE {
            self.rules.push((rule, tree));
        }
    }

    /// Drops clauses that cannot be used, and those that no query needs.
    fn slice(&mut self, predicates: usize) {
        let mut derivable = vec![false; predicates];
        let ready = |rule: &Rule, derivable: &[bool]| {
            let mut body = rule.body.iter();
            body.all(|app| derivable[app.pred.index()])
        };
        loop {
            let mut changed = false;
            for (rule, _) in &self.rules {
                if let Some(head) = &rule.head
                    && !derivable[head.pred.index()]
                    && ready(rule, &derivable)
                {
                    derivable[head.pred.index()] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.rules.retain(|(rule, _)| ready(rule, &derivable));
        let mut needed = vec![false; predicates];
        loop {
            let mut changed = false;
            for (rule, _) in &self.rules {
                let wanted = rule.head.as_ref().is_none_or(|h| needed[h.pred.index()]);
                for app in rule.body.iter().filter(|_| wanted) {
                    changed |= !std::mem::replace(&mut needed[app.pred.index()], true);
                }
            }
            if !changed {
                break;
            }
        }
        self.rules
            .retain(|(rule, _)| rule.head.as_ref().is_none_or(|h| needed[h.pred.index()]));
    }

    /// The predicate whose removal adds the fewest clauses.
    fn candidate(&self, predicates: usize) -> Option<Pred> {
        let mut clauses = vec![0usize; predicates];
        let mut uses = vec![0usize; predicates];
        let mut size = vec![0usize; predicates];
        let mut excluded = vec![false; predicates];
        for (rule, _) in &self.rules {
            let own = rule.facts.len() + rule.body.len();
            for (i, app) in rule.body.iter().enumerate() {
                let pred = app.pred.index();
                uses[pred] += 1;
                let twice = rule.body[..i].iter().any(|a| a.pred == app.pred);
                let loops = rule.head.as_ref().is_some_and(|h| h.pred == app.pred);
                excluded[pred] |= loops || twice;
            }
            if let Some(head) = &rule.head {
                clauses[head.pred.index()] += 1;
                size[head.pred.index()] += own;
            }
        }
        let growth = |p: usize| clauses[p] * uses[p];
        let small = |p: usize| {
            let cheap = clauses[p] == 1 || uses[p] == 1;
            let few = growth(p) <= 16 && self.rules.len() < MOST_CLAUSES;
            (cheap || few) && size[p] < MOST_SIZE && self.rules.len() < 2 * MOST_CLAUSES
        };
        let all = (0..predicates).filter(|&p| clauses[p] > 0 && !excluded[p] && small(p));
        all.min_by_key(|&p| (growth(p), p)).map(|p| Pred(p as u32))
    }

    fn remove(&mut self, pred: Pred) {
        let is_head = |rule: &Rule| rule.head.as_ref().is_some_and(|h| h.pred == pred);
        let (definitions, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.rules)
            .into_iter()
            .partition(|(rule, _)| is_head(rule));
        for (rule, tree) in rest {
            let Some(place) = rule.body.iter().position(|app| app.pred == pred) else {
                self.rules.push((rule, tree));
                continue;
            };
            for (definition, below) in &definitions {
                let mut tree = tree.clone();
                if tree.graft(place, below).is_err() {
                    continue;
                }
                let rule = self.resolvent(&rule, place, definition);
                self.add(rule, tree);
            }
        }
    }

    /// A clause with one predicate of its body replaced by what derives it.
    fn resolvent(&mut self, rule: &Rule, place: usize, definition: &Rule) -> Rule {
        let mut renamed: FxHashMap<Var, Var> = FxHashMap::default();
        let mut equations = Vec::new();
        let formals = definition.head.iter().flat_map(|head| &head.args);
        for (&from, &to) in formals.zip(&rule.body[place].args) {
            match renamed.get(&from) {
                Some(&before) if before != to => equations.push(self.terms.equal(before, to)),
                Some(_) => {}
                None => {
                    renamed.insert(from, to);
                }
            }
        }
        let mut all: Vec<Var> = self.terms.variables(definition.constraint);
        all.extend(definition.body.iter().flat_map(|app| app.args.iter()));
        all.extend(definition.facts.iter().flat_map(Fact::variables));
        for var in all {
            let Entry::Vacant(entry) = renamed.entry(var) else {
                continue;
            };
            let name = self.terms.name(var).to_owned();
            let copy = self.terms.fresh(&name, self.terms.sort(var));
            if let Some(&sort) = self.names.get(&var) {
                self.names.insert(copy, sort);
            }
            entry.insert(copy);
        }
        let pairs: Vec<(Var, Var)> = {
            let mut pairs: Vec<_> = renamed.iter().map(|(a, b)| (*a, *b)).collect();
            pairs.sort_unstable();
            pairs
        };
        let inner = self.terms.replace(definition.constraint, &pairs);
        equations.extend([rule.constraint, inner]);
        let mut body = rule.body[..place].to_vec();
        body.extend(definition.body.iter().map(|app| App {
            pred: app.pred,
            args: app.args.iter().map(|v| renamed[v]).collect(),
        }));
        body.extend_from_slice(&rule.body[place + 1..]);
        let mut facts = rule.facts.clone();
        let below = definition.facts.iter().cloned();
        facts.extend(below.map(|fact| fact.map(&mut |v| renamed[&v])));
        let mut rule = Rule {
            body,
            constraint: self.terms.and(equations),
            head: rule.head.clone(),
            facts,
        };
        tidy(&mut self.terms, &mut rule);
        rule
    }

    /// The system, in which no variable occurs in two clauses.
    fn finish(mut self, horn: &Horn, theory: &Theory) -> Resolved {
        let mut clauses = Vec::new();
        let mut facts = Vec::new();
        let mut trees = Vec::new();
        let mut taken: FxHashSet<Var> = FxHashSet::default();
        for (rule, tree) in std::mem::take(&mut self.rules) {
            let rule = self.apart(rule, &mut taken);
            clauses.push(Clause {
                body: rule.body,
                constraint: rule.constraint,
                head: rule.head,
                place: horn.clauses[tree.clause].place.clone(),
            });
            facts.push(rule.facts);
            trees.push(tree);
        }
        Resolved {
            horn: Horn {
                terms: self.terms,
                predicates: horn.predicates.clone(),
                clauses,
            },
            theory: Theory {
                sorts: theory.sorts.clone(),
                names: self.names,
                facts,
            },
            trees,
        }
    }

    /// The clause with new variables in place of those that others have.
    fn apart(&mut self, rule: Rule, taken: &mut FxHashSet<Var>) -> Rule {
        let mut own: Vec<Var> = self.terms.variables(rule.constraint);
        own.extend(rule.apps().flat_map(|app| app.args.iter()));
        own.extend(rule.facts.iter().flat_map(Fact::variables));
        own.sort_unstable();
        own.dedup();
        let mut pairs: Vec<(Var, Var)> = Vec::new();
        for var in own {
            let to = match taken.insert(var) {
                true => var,
                false => {
                    let name = self.terms.name(var).to_owned();
                    let copy = self.terms.fresh(&name, self.terms.sort(var));
                    if let Some(&sort) = self.names.get(&var) {
                        self.names.insert(copy, sort);
                    }
                    copy
                }
            };
            pairs.push((var, to));
        }
        let other: FxHashMap<Var, Var> = pairs.iter().copied().collect();
        let moved = |app: &App| App {
            pred: app.pred,
            args: app.args.iter().map(|v| other[v]).collect(),
        };
        Rule {
            body: rule.body.iter().map(moved).collect(),
            constraint: self.terms.replace(rule.constraint, &pairs),
            head: rule.head.as_ref().map(moved),
            facts: rule
                .facts
                .into_iter()
                .map(|fact| fact.map(&mut |v| other[&v]))
                .collect(),
        }
    }
}
