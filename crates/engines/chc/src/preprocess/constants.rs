//! Arguments that have one value only, whatever is derived.
//!
//! Values are propagated from the clauses without body on, through the equations of the constraints; an argument
//! that gets two is not constant. What is found is inductive, so it may be assumed of every body;
//! the argument goes, and the definition gets the equation.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::limits::fraction_fits;
use suppose_model::chc::{Lin, Node, Pred, TermId, Terms, Value, Var};
use suppose_number::Rat;

use super::working::{Rule, Working};

/// Equations that the definitions get.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    facts: Vec<(Pred, TermId)>,
}

impl Constants {
    /// Definitions before from those after.
    pub(super) fn definitions(&self, terms: &mut Terms, definitions: &mut [TermId]) {
        for &(pred, fact) in &self.facts {
            let definition = &mut definitions[pred.index()];
            *definition = terms.and([*definition, fact]);
        }
    }
}

/// What is known of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    One(Value),
    Any,
}

/// Removes constant arguments; none if there are none.
pub(super) fn run(system: &mut Working) -> Option<Constants> {
    let known = propagate(system);
    // What is never derived is false: the values of the others were found under that assumption.
    let dead = |pred: Pred| known[pred.index()].is_none();
    let mut facts: Vec<(Pred, TermId)> = Vec::new();
    let mut told: FxHashSet<Pred> = FxHashSet::default();
    for pred in system
        .rules
        .iter()
        .flat_map(|rule| rule.apps().map(|app| app.pred))
    {
        if dead(pred) && told.insert(pred) {
            facts.push((pred, Terms::FALSE));
        }
    }
    system
        .rules
        .retain(|rule| !rule.apps().any(|app| dead(app.pred)));
    let mut keep: Vec<Option<Vec<bool>>> = vec![None; system.predicates.len()];
    for (number, values) in known.iter().enumerate() {
        let Some(values) = values else { continue };
        let any: Vec<bool> = values.iter().map(|v| *v == Known::Any).collect();
        if any.iter().all(|k| *k) {
            continue;
        }
        for (place, value) in values.iter().enumerate() {
            let Known::One(value) = value else { continue };
            let formal = system.predicates[number].formals[place];
            let fact = system.terms.has_value(formal, value);
            facts.push((Pred(number as u32), fact));
        }
        keep[number] = Some(any);
    }
    assume(system, &known);
    system.keep_arguments(&keep);
    (!facts.is_empty()).then_some(Constants { facts })
}

/// In every body the arguments have the values that are known.
fn assume(system: &mut Working, known: &[Option<Vec<Known>>]) {
    let Working { terms, rules, .. } = system;
    for rule in rules {
        let mut parts = vec![rule.constraint];
        for atom in &rule.body {
            let Some(values) = &known[atom.app.pred.index()] else {
                continue;
            };
            for (&var, value) in atom.app.args.iter().zip(values) {
                if let Known::One(value) = value {
                    parts.push(terms.has_value(var, value));
                }
            }
        }
        if parts.len() > 1 {
            rule.constraint = terms.and(parts);
            rule.fresh = true;
        }
    }
}

/// For each predicate what is known of its arguments; none if it is not derived at all.
fn propagate(system: &Working) -> Vec<Option<Vec<Known>>> {
    let mut known: Vec<Option<Vec<Known>>> = vec![None; system.predicates.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.predicates.len()];
    for (number, rule) in system.rules.iter().enumerate() {
        for atom in &rule.body {
            users[atom.app.pred.index()].push(number);
        }
    }
    let mut open: VecDeque<usize> = (0..system.rules.len()).collect();
    let mut waits = vec![true; system.rules.len()];
    while let Some(number) = open.pop_front() {
        waits[number] = false;
        let rule = &system.rules[number];
        let Some(head) = &rule.head else { continue };
        let parts = system.terms.conjuncts(rule.constraint);
        let Some(values) = values(&system.terms, rule, &parts, &known) else {
            continue;
        };
        let found = head.args.iter().map(|var| {
            let value = values.get(var);
            value.map_or(Known::Any, |v| Known::One(v.clone()))
        });
        if join(&mut known[head.pred.index()], found.collect()) {
            for &user in &users[head.pred.index()] {
                if !std::mem::replace(&mut waits[user], true) {
                    open.push_back(user);
                }
            }
        }
    }
    known
}

/// Did anything change?
fn join(known: &mut Option<Vec<Known>>, found: Vec<Known>) -> bool {
    let Some(known) = known else {
        *known = Some(found);
        return true;
    };
    let mut changed = false;
    for (old, new) in known.iter_mut().zip(found) {
        if *old != Known::Any && *old != new {
            *old = Known::Any;
            changed = true;
        }
    }
    changed
}

/// The values that a clause's variables must have; none if it cannot be used.
fn values(
    terms: &Terms,
    rule: &Rule,
    parts: &[TermId],
    known: &[Option<Vec<Known>>],
) -> Option<FxHashMap<Var, Value>> {
    let mut values: FxHashMap<Var, Value> = FxHashMap::default();
    for atom in &rule.body {
        let arguments = known[atom.app.pred.index()].as_ref()?;
        for (var, known) in atom.app.args.iter().zip(arguments) {
            if let Known::One(value) = known {
                if values.get(var).is_some_and(|old| old != value) {
                    return None;
                }
                values.insert(*var, value.clone());
            }
        }
    }
    solve(terms, parts, values)
}

/// Values that follow from others by equations.
fn solve(
    terms: &Terms,
    parts: &[TermId],
    mut values: FxHashMap<Var, Value>,
) -> Option<FxHashMap<Var, Value>> {
    loop {
        let before = values.len();
        for &part in parts {
            match forced(terms, part, &values) {
                Forced::Nothing => {}
                Forced::False => return None,
                Forced::Value(var, value) => {
                    values.insert(var, value);
                }
            }
        }
        if values.len() == before {
            return Some(values);
        }
    }
}

/// The values that a constraint gives to variables; none if it is false.
pub(super) fn fixed(terms: &Terms, constraint: TermId) -> Option<FxHashMap<Var, Value>> {
    solve(terms, &terms.conjuncts(constraint), FxHashMap::default())
}

enum Forced {
    Nothing,
    False,
    Value(Var, Value),
}

fn forced(terms: &Terms, part: TermId, values: &FxHashMap<Var, Value>) -> Forced {
    let boolean = |var: Var, truth: bool| match values.get(&var) {
        None => Forced::Value(var, Value::Bool(truth)),
        Some(Value::Bool(other)) if *other == truth => Forced::Nothing,
        Some(_) => Forced::False,
    };
    let truth = |term: TermId| match terms.node(term) {
        Node::Var(var) => match values.get(var) {
            Some(Value::Bool(truth)) => Some(*truth),
            _ => None,
        },
        _ => None,
    };
    let same = |a: TermId, b: TermId, same: bool| match (terms.node(a), terms.node(b)) {
        (Node::Var(x), Node::Var(y)) => match (truth(a), truth(b)) {
            (Some(t), _) => boolean(*y, t == same),
            (_, Some(t)) => boolean(*x, t == same),
            _ => Forced::Nothing,
        },
        _ => Forced::Nothing,
    };
    match terms.node(part) {
        Node::Var(var) => boolean(*var, true),
        Node::Not(inner) => match terms.node(*inner) {
            Node::Var(var) => boolean(*var, false),
            Node::Iff(a, b) => same(*a, *b, false),
            _ => Forced::Nothing,
        },
        Node::Iff(a, b) => same(*a, *b, true),
        Node::Eq(lin) => forced_number(terms, lin, values),
        _ => Forced::Nothing,
    }
}

/// The value of the only variable of an equation that has none yet.
fn forced_number(terms: &Terms, lin: &Lin, values: &FxHashMap<Var, Value>) -> Forced {
    let mut sum = Rat::from(&lin.constant);
    let mut open = None;
    for (var, factor) in &lin.terms {
        match values.get(var) {
            Some(Value::Num(value)) => sum += &(&Rat::from(factor) * value),
            _ if open.is_some() => return Forced::Nothing,
            _ => open = Some((*var, factor)),
        }
    }
    match open {
        None if sum.is_zero() => Forced::Nothing,
        None => Forced::False,
        Some((var, factor)) => {
            let value = &-&sum / &Rat::from(factor);
            if terms.sort(var) == suppose_model::chc::Sort::Int && !value.is_integer() {
                return Forced::False;
            }
            match fraction_fits(&value) {
                true => Forced::Value(var, Value::Num(value)),
                false => Forced::Nothing,
            }
        }
    }
}
