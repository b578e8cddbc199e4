//! Progress properties, decided by the definition of terminal sets.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{ERROR, Machine};
use super::parse::tokens;

/// Larger machines are not looked at: the sets of reachable states are written down for every state.
const MOST_STATES: usize = 300;

/// Decides every progress property of a text about a machine. Those with indices are left out.
pub(super) fn decide(text: &str, machine: &Machine) -> BTreeMap<String, bool> {
    let mut verdicts = BTreeMap::new();
    if machine.states > MOST_STATES {
        return verdicts;
    }
    let sets = terminal_sets(machine);
    let tokens = tokens(text);
    for (at, word) in tokens.iter().enumerate() {
        let Some([name, equals]) = tokens.get(at + 1..at + 3) else {
            continue;
        };
        if word != "progress" || equals != "=" {
            continue;
        }
        let mut rest = &tokens[at + 3..];
        let mut condition = None;
        if rest.first().is_some_and(|t| t == "if") {
            let (set, after) = actions(&rest[1..]);
            condition = Some(set);
            rest = after.get(1..).unwrap_or_default();
        }
        let (wanted, _) = actions(rest);
        let meets = |set: &BTreeSet<String>, of: &BTreeSet<String>| !set.is_disjoint(of);
        let fine = |set: &BTreeSet<String>| {
            condition.as_ref().is_some_and(|c| !meets(set, c)) || meets(set, &wanted)
        };
        verdicts.insert(name.clone(), sets.iter().all(fine));
    }
    verdicts
}

/// `{a, b}` or `a`, and what follows it.
fn actions(tokens: &[String]) -> (BTreeSet<String>, &[String]) {
    if tokens.first().is_none_or(|t| t != "{") {
        let one = tokens.first().cloned();
        return (
            one.into_iter().collect(),
            tokens.get(1..).unwrap_or_default(),
        );
    }
    let end = tokens.iter().position(|t| t == "}").unwrap_or(tokens.len());
    let names = tokens[1..end].iter().filter(|t| *t != ",").cloned();
    (names.collect(), tokens.get(end + 1..).unwrap_or_default())
}

/// The actions of every terminal set: states that are reached again from wherever one comes from them.
fn terminal_sets(machine: &Machine) -> Vec<BTreeSet<String>> {
    let targets = |state: usize| -> BTreeSet<usize> {
        let edges = machine.edges.iter().filter(|e| e.0 == state);
        edges.map(|e| e.2).collect()
    };
    let reach = |start: usize| -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            for target in targets(state) {
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
        seen
    };
    let all = reach(0);
    let reached: BTreeMap<usize, BTreeSet<usize>> = all.iter().map(|s| (*s, reach(*s))).collect();
    let mut sets = BTreeSet::new();
    for (state, from) in &reached {
        if *state == ERROR || from.iter().all(|t| reached[t].contains(state)) {
            sets.insert(from.clone());
        }
    }
    let of = |set: &BTreeSet<usize>| {
        let edges = machine.edges.iter().filter(|e| set.contains(&e.0));
        edges.map(|e| e.1.clone()).collect()
    };
    sets.iter().map(of).collect()
}
