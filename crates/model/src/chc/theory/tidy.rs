//! Simpler clauses: equal variables become one, values that are known are put in, facts that repeat others or
//! lead to nothing are dropped. The clause stays equivalent.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Fact;
use crate::chc::{App, Expr, Lin, Node, TermId, Terms, Var};

/// A clause with its facts.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub body: Vec<App>,
    pub constraint: TermId,
    pub head: Option<App>,
    pub facts: Vec<Fact>,
}

impl Rule {
    pub fn apps(&self) -> impl Iterator<Item = &App> {
        self.body.iter().chain(&self.head)
    }

    fn rename(&mut self, terms: &mut Terms, from: Var, to: Var) {
        self.constraint = terms.replace(self.constraint, &[(from, to)]);
        let mut other = |var: Var| if var == from { to } else { var };
        for app in self.body.iter_mut().chain(&mut self.head) {
            for arg in &mut app.args {
                *arg = other(*arg);
            }
        }
        for fact in &mut self.facts {
            *fact = fact.clone().map(&mut other);
        }
    }

    /// How often each variable occurs in predicates and facts.
    fn uses(&self) -> FxHashMap<Var, u32> {
        let mut uses = FxHashMap::default();
        let apps = self.apps().flat_map(|app| app.args.iter().copied());
        let facts = self.facts.iter().flat_map(Fact::variables);
        for var in apps.chain(facts) {
            *uses.entry(var).or_default() += 1;
        }
        uses
    }
}

/// Simplifies a clause until nothing changes.
pub(super) fn tidy(terms: &mut Terms, rule: &mut Rule) {
    loop {
        let mut changed = merge_equal(terms, rule);
        changed |= put_in_values(terms, rule);
        changed |= merge_facts(terms, rule);
        if !changed || rule.constraint == Terms::FALSE {
            break;
        }
    }
    drop_unused(terms, rule);
}

fn parts(terms: &Terms, constraint: TermId) -> Vec<TermId> {
    match terms.node(constraint) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![constraint],
    }
}

/// Variables that must be equal become one.
fn merge_equal(terms: &mut Terms, rule: &mut Rule) -> bool {
    let mut changed = false;
    'again: loop {
        for part in parts(terms, rule.constraint) {
            let pair = match terms.node(part) {
                Node::Eq(lin) => equal_pair(terms, lin),
                Node::Iff(a, b) => match (terms.node(*a), terms.node(*b)) {
                    (Node::Var(a), Node::Var(b)) => Some((*a, *b)),
                    _ => None,
                },
                _ => None,
            };
            if let Some((keep, gone)) = pair {
                rule.rename(terms, gone, keep);
                changed = true;
                continue 'again;
            }
        }
        return changed;
    }
}

fn equal_pair(terms: &Terms, lin: &Lin) -> Option<(Var, Var)> {
    let [(a, f), (b, g)] = lin.terms.as_slice() else {
        return None;
    };
    let same = lin.constant.is_zero() && f.is_one() && (-g).is_one();
    (same && terms.sort(*a) == terms.sort(*b)).then_some((*a, *b))
}

/// Known values go into the rest of the constraint.
fn put_in_values(terms: &mut Terms, rule: &mut Rule) -> bool {
    let mut known: FxHashMap<Var, Expr> = FxHashMap::default();
    let mut given = Vec::new();
    let mut rest = Vec::new();
    for part in parts(terms, rule.constraint) {
        let value = match terms.node(part) {
            Node::Var(var) => Some((*var, Expr::Bool(Terms::TRUE))),
            Node::Not(inner) => match terms.node(*inner) {
                Node::Var(var) => Some((*var, Expr::Bool(Terms::FALSE))),
                _ => None,
            },
            Node::Eq(lin) => match lin.terms.as_slice() {
                [(var, factor)] if factor.is_one() => {
                    Some((*var, Expr::Num(Lin::constant(-&lin.constant))))
                }
                _ => None,
            },
            _ => None,
        };
        match value {
            Some((var, value)) if !known.contains_key(&var) => {
                known.insert(var, value);
                given.push(part);
            }
            _ => rest.push(part),
        }
    }
    if known.is_empty() {
        return false;
    }
    let before = rule.constraint;
    let rest = terms.and(rest);
    let rest = terms.substitute(rest, &known);
    given.push(rest);
    rule.constraint = terms.and(given);
    rule.constraint != before
}

/// What determines the result of a fact, and the result.
fn function(fact: &Fact) -> Option<(Key, Vec<Var>)> {
    Some(match fact {
        Fact::Select {
            array,
            index,
            value,
        } => (Key::Select(*array, index.clone()), value.clone()),
        Fact::Store {
            array,
            index,
            value,
            result,
        } => (
            Key::Store(*array, index.clone(), value.clone()),
            vec![*result],
        ),
        Fact::Make {
            sort,
            constructor,
            fields,
            result,
        } => (
            Key::Make(*sort, *constructor, fields.clone()),
            vec![*result],
        ),
        Fact::Constant {
            sort,
            value,
            result,
        } => (Key::Constant(*sort, value.clone()), vec![*result]),
        Fact::Tag { data, tag } => (Key::Tag(*data), vec![*tag]),
        // What Open gives is not determined for other constructors.
        Fact::Open { .. } | Fact::Proper { .. } => return None,
    })
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Select(Var, Vec<Var>),
    Store(Var, Vec<Var>, Vec<Var>),
    Make(u32, u32, Vec<Var>),
    Constant(u32, Vec<Var>),
    Tag(Var),
}

/// Facts that say the same are one; their results are equal. Reads of what was just written are what was written.
fn merge_facts(terms: &mut Terms, rule: &mut Rule) -> bool {
    let mut known: FxHashMap<Key, Vec<Var>> = FxHashMap::default();
    let mut equations = Vec::new();
    let mut kept = Vec::new();
    for fact in &rule.facts {
        if let Fact::Store {
            index,
            value,
            result,
            ..
        } = fact
        {
            let key = Key::Select(*result, index.clone());
            known.entry(key).or_insert_with(|| value.clone());
        }
    }
    let mut seen = FxHashSet::default();
    for fact in &rule.facts {
        if let Some((key, result)) = function(fact) {
            match known.get(&key) {
                Some(before) => {
                    for (&a, &b) in before.iter().zip(&result) {
                        if a != b {
                            equations.push(terms.equal(a, b));
                        }
                    }
                    continue;
                }
                None => {
                    known.insert(key, result);
                }
            }
        }
        if seen.insert(fact.clone()) {
            kept.push(fact.clone());
        }
    }
    if kept.len() == rule.facts.len() {
        return false;
    }
    rule.facts = kept;
    if !equations.is_empty() {
        equations.push(rule.constraint);
        rule.constraint = terms.and(equations);
    }
    true
}

/// Facts whose result is used nowhere say nothing.
fn drop_unused(terms: &Terms, rule: &mut Rule) {
    loop {
        let uses = rule.uses();
        let mut constrained: FxHashSet<Var> = FxHashSet::default();
        constrained.extend(terms.variables(rule.constraint));
        let before = rule.facts.len();
        let alone = |var: &Var| !constrained.contains(var) && uses.get(var) == Some(&1);
        rule.facts.retain(|fact| match fact {
            Fact::Select { value, .. } => !distinct(value) || !value.iter().all(alone),
            Fact::Store { result, .. }
            | Fact::Constant { result, .. }
            | Fact::Make { result, .. } => !alone(result),
            Fact::Tag { tag, .. } => !alone(tag),
            Fact::Open { fields, .. } => !distinct(fields) || !fields.iter().all(alone),
            Fact::Proper { .. } => true,
        });
        if rule.facts.len() == before {
            return;
        }
    }
}

fn distinct(list: &[Var]) -> bool {
    list.iter().enumerate().all(|(i, v)| !list[..i].contains(v))
}
