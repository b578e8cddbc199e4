//! One predicate for each value of an argument that says where the control is.
//!
//! If an argument is fixed by every clause in which its predicate occurs, each value gets a predicate of its own
//! without the argument. The definition is, for each value, what that predicate has.

use rustc_hash::FxHashMap;
use suppose_model::chc::{App, Param, Pred, Predicate, TermId, Terms, Value, Var};

use super::constants::fixed;
use super::working::Working;

/// A predicate that became several.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pred: Pred,
    formals: Vec<Var>,
    place: usize,
    parts: Vec<(Value, Pred, Vec<Var>)>,
}

/// Values of one argument.
const MOST_VALUES: usize = 64;

/// The values that a clause gives to its variables; none if it is false.
type Fixed = Option<FxHashMap<Var, Value>>;

/// Splits one predicate; none if there is no candidate.
pub(super) fn run(system: &mut Working) -> Option<Split> {
    let occurrences = system.occurrences();
    let mut fixed_by: Vec<Option<Fixed>> = vec![None; system.rules.len()];
    let mut chosen = None;
    'search: for (number, rules) in occurrences.iter().enumerate() {
        for place in 0..system.predicates[number].formals.len() {
            let pred = Pred(number as u32);
            if let Some(values) = all_values(system, rules, &mut fixed_by, pred, place) {
                chosen = Some((pred, place, values));
                break 'search;
            }
        }
    }
    let (pred, place, values) = chosen?;
    Some(split(system, pred, place, values))
}

/// The values of an argument, if each clause fixes it and there are at least two.
fn all_values(
    system: &Working,
    rules: &[usize],
    fixed_by: &mut [Option<Fixed>],
    pred: Pred,
    place: usize,
) -> Option<Vec<Value>> {
    let mut values: Vec<Value> = Vec::new();
    for &number in rules {
        let rule = &system.rules[number];
        let known = fixed_by[number].get_or_insert_with(|| fixed(&system.terms, rule.constraint));
        let known = known.as_ref()?;
        for app in rule.apps().filter(|app| app.pred == pred) {
            let value = known.get(&app.args[place])?;
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        if values.len() > MOST_VALUES {
            return None;
        }
    }
    (values.len() > 1).then_some(values)
}

fn split(system: &mut Working, pred: Pred, place: usize, values: Vec<Value>) -> Split {
    let old = system.predicates[pred.index()].clone();
    let mut parts = Vec::new();
    for value in values {
        let mut formals = Vec::new();
        for (i, &formal) in old.formals.iter().enumerate() {
            if i != place {
                let name = system.terms.name(formal).to_owned();
                let sort = system.terms.sort(formal);
                formals.push(system.terms.fresh(&name, sort));
            }
        }
        let number = Pred(system.predicates.len() as u32);
        system.predicates.push(Predicate {
            name: format!("{}@{}", old.name, shown(&value)),
            params: formals.iter().map(|&v| Param::Plain(v)).collect(),
            formals: formals.clone(),
            place: old.place.clone(),
        });
        parts.push((value, number, formals));
    }
    let numbers: FxHashMap<&Value, Pred> = parts
        .iter()
        .map(|(value, number, _)| (value, *number))
        .collect();
    for rule in &mut system.rules {
        if rule.apps().all(|app| app.pred != pred) {
            continue;
        }
        let Some(known) = fixed(&system.terms, rule.constraint) else {
            continue;
        };
        let change = |app: &mut App| {
            if app.pred == pred
                && let Some(number) = known.get(&app.args[place]).and_then(|v| numbers.get(v))
            {
                app.pred = *number;
                app.args.remove(place);
            }
        };
        let apps = rule.body.iter_mut().map(|atom| &mut atom.app);
        apps.chain(&mut rule.head).for_each(change);
        rule.fresh = true;
    }
    Split {
        pred,
        formals: old.formals,
        place,
        parts,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Num(number) => number.to_string(),
    }
}

impl Split {
    /// Definitions before from those after.
    pub(super) fn definitions(&self, terms: &mut Terms, definitions: &mut [TermId]) {
        let mut cases = Vec::new();
        for (value, part, formals) in &self.parts {
            let rest = self
                .formals
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != self.place);
            let pairs: Vec<(Var, Var)> =
                formals.iter().copied().zip(rest.map(|(_, &v)| v)).collect();
            let moved = terms.replace(definitions[part.index()], &pairs);
            let here = terms.has_value(self.formals[self.place], value);
            cases.push(terms.and([here, moved]));
        }
        definitions[self.pred.index()] = terms.or(cases);
    }
}
