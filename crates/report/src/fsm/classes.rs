//! The classes of an abstraction as conditions that people can read.

use std::collections::BTreeMap;

use suppose_model::fsm::{Cluster, Decisions, System, Type, Value, VarId};

use crate::words::count;

/// More valuations of a cluster are not tried one by one.
const MOST_VALUATIONS: u128 = 4_096;
/// More classes are only counted.
const MOST_CLASSES: usize = 12;
/// A longer condition is not written.
const LONGEST: usize = 160;

/// One cluster of variables, with the classes of their valuations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Classes {
    /// Its variables.
    pub vars: Vec<String>,
    /// How many classes.
    pub classes: usize,
    /// Every value is a class of its own.
    pub all_apart: bool,
    /// What the valuations of each class have in common; empty if there is too much to say.
    pub conditions: Vec<String>,
}

/// State variables that no cluster has.
pub(crate) fn left_out(system: &System, clusters: &[Cluster]) -> usize {
    let kept: usize = clusters.iter().map(|c| c.vars.len()).sum();
    system.state_vars().count().saturating_sub(kept)
}

/// The classes of one cluster.
pub(crate) fn classes(system: &System, cluster: &Cluster) -> Classes {
    let name = |v: &VarId| system.variable(*v).name.clone();
    Classes {
        vars: cluster.vars.iter().map(name).collect(),
        classes: cluster.classes.len(),
        all_apart: valuations(system, cluster) == Some(cluster.classes.len() as u128),
        conditions: conditions(system, cluster).unwrap_or_default(),
    }
}

/// How many valuations the variables have; none if they are too many to count.
fn valuations(system: &System, cluster: &Cluster) -> Option<u128> {
    let sizes = cluster.vars.iter().map(|v| system.variable(*v).ty.size());
    sizes.into_iter().try_fold(1u128, u128::checked_mul)
}

fn conditions(system: &System, cluster: &Cluster) -> Option<Vec<String>> {
    let types: Vec<&Type> = cluster
        .vars
        .iter()
        .map(|v| &system.variable(*v).ty)
        .collect();
    let all = valuations(system, cluster).filter(|n| *n <= MOST_VALUATIONS)?;
    if cluster.classes.len() > MOST_CLASSES {
        return None;
    }
    let table = |class: &Decisions| -> Vec<bool> {
        let numbers = 0..all;
        numbers
            .map(|n| contains(cluster, &types, class, n))
            .collect()
    };
    let mut tables: Vec<Vec<bool>> = cluster.classes.iter().map(table).collect();
    // By the first valuation of each: engines have no order that would mean anything.
    tables.sort_by_key(|table| table.iter().position(|inside| *inside));
    let one = |table: &Vec<bool>| condition(system, &cluster.vars, &types, table);
    Some(tables.iter().map(one).collect())
}

/// Is the valuation of that number, the first variable counting slowest, in a class?
fn contains(cluster: &Cluster, types: &[&Type], class: &Decisions, mut number: u128) -> bool {
    let mut indices = vec![0; types.len()];
    for (at, ty) in types.iter().enumerate().rev() {
        let size = ty.size().max(1);
        indices[at] = number % size;
        number /= size;
    }
    let mut at = class.root;
    // Each decision leads to earlier ones, so this ends; what is out of range is in no class.
    for _ in 0..=class.nodes.len() {
        let decision = match at {
            0 => return false,
            1 => return true,
            n => match class.nodes.get(n as usize - 2) {
                Some(decision) => decision,
                None => return false,
            },
        };
        let place = cluster.vars.iter().position(|v| *v == decision.var);
        let index = place.map_or(0, |p| indices[p]);
        let set = decision.bit < 128 && index >> decision.bit & 1 == 1;
        at = if set { decision.high } else { decision.low };
    }
    false
}

/// A set of valuations, given by a table, as alternatives of what each variable is.
fn condition(system: &System, vars: &[VarId], types: &[&Type], table: &[bool]) -> String {
    if table.iter().all(|b| *b) {
        return "anything".to_owned();
    }
    let mut terms = Vec::new();
    alternatives(system, vars, types, table, &mut Vec::new(), &mut terms);
    let text = terms.join(" | ");
    match text.chars().count() <= LONGEST {
        true => text,
        false => count(table.iter().filter(|b| **b).count() as u64, "valuation"),
    }
}

/// Values of the first variable after which the rest is the same belong together.
fn alternatives(
    system: &System,
    vars: &[VarId],
    types: &[&Type],
    table: &[bool],
    so_far: &mut Vec<String>,
    terms: &mut Vec<String>,
) {
    if !table.contains(&true) {
        return;
    }
    let (Some((var, vars)), Some((ty, types))) = (vars.split_first(), types.split_first()) else {
        terms.push(match so_far.is_empty() {
            true => "anything".to_owned(),
            false => so_far.join(" & "),
        });
        return;
    };
    let values: Vec<Value> = ty.values().take(table.len()).collect();
    let rest = table.len() / values.len().max(1);
    // By the table of the rest, in the order of the first value that has it.
    let mut groups: BTreeMap<&[bool], (usize, Vec<Value>)> = BTreeMap::new();
    for (at, value) in values.iter().enumerate() {
        let part = &table[at * rest..(at + 1) * rest];
        groups
            .entry(part)
            .or_insert((at, Vec::new()))
            .1
            .push(value.clone());
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (first, _))| *first);
    for (part, (_, of)) in groups {
        let said = is_one_of(system, *var, ty, &of);
        let pushed = said.is_some();
        so_far.extend(said);
        alternatives(system, vars, types, part, so_far, terms);
        if pushed {
            so_far.pop();
        }
    }
}

/// `x = 3`, `x in {a, b}`, `x in 2..9`, `!x`; nothing if it can be anything.
fn is_one_of(system: &System, var: VarId, ty: &Type, values: &[Value]) -> Option<String> {
    let name = &system.variable(var).name;
    if values.len() as u128 == ty.size() {
        return None;
    }
    let show = |v: &Value| system.symbols.show(v);
    Some(match values {
        [Value::Bool(true)] => name.clone(),
        [Value::Bool(false)] => format!("!{name}"),
        [one] => format!("{name} = {}", show(one)),
        [Value::Int(low), .., Value::Int(high)] if is_run(values) => {
            format!("{name} in {low}..{high}")
        }
        many => {
            let all: Vec<String> = many.iter().map(show).collect();
            format!("{name} in {{{}}}", all.join(", "))
        }
    })
}

/// Numbers without a gap?
fn is_run(values: &[Value]) -> bool {
    values.windows(2).all(|w| match (&w[0], &w[1]) {
        (Value::Int(a), Value::Int(b)) => a.checked_add(1) == Some(*b),
        _ => false,
    })
}
