//! Arguments that nothing depends on go.
//!
//! An argument of a predicate is unused if in every clause with the predicate in its body the variable
//! there occurs nowhere else, but for unused arguments of the head. A definition without
//! the argument is one with it; in a derivation its value is what the premise has.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_model::chc::{Pred, Var};

use super::working::{Rule, Working};

/// Removes unused arguments. Did anything change?
pub(super) fn run(system: &mut Working) -> bool {
    let mut used: Vec<Vec<bool>> = system
        .predicates
        .iter()
        .map(|predicate| vec![false; predicate.formals.len()])
        .collect();
    let constrained: Vec<Vec<Var>> = system
        .rules
        .iter()
        .map(|rule| system.terms.variables(rule.constraint))
        .collect();
    let mut defining: Vec<Vec<usize>> = vec![Vec::new(); system.predicates.len()];
    for (number, rule) in system.rules.iter().enumerate() {
        if let Some(head) = &rule.head {
            defining[head.pred.index()].push(number);
        }
    }
    let mut open: VecDeque<usize> = (0..system.rules.len()).collect();
    let mut waits = vec![true; system.rules.len()];
    while let Some(number) = open.pop_front() {
        waits[number] = false;
        for pred in spread(&system.rules[number], &constrained[number], &mut used) {
            for &other in &defining[pred.index()] {
                if !std::mem::replace(&mut waits[other], true) {
                    open.push_back(other);
                }
            }
        }
    }
    let occurrences = system.occurrences();
    let mut changed = false;
    let mut keep: Vec<Option<Vec<bool>>> = vec![None; system.predicates.len()];
    for (number, used) in used.into_iter().enumerate() {
        if used.contains(&false) {
            changed |= !occurrences[number].is_empty();
            keep[number] = Some(used);
        }
    }
    system.keep_arguments(&keep);
    changed
}

/// Marks what a rule uses because of what is marked so far. The predicates that got a mark.
fn spread(rule: &Rule, constrained: &[Var], used: &mut [Vec<bool>]) -> Vec<Pred> {
    // How often a variable is needed: by the constraint, by each place in the body, by used places of the head.
    let mut needs: FxHashMap<Var, u32> = FxHashMap::default();
    for &var in constrained {
        *needs.entry(var).or_default() += 1;
    }
    for var in rule.body.iter().flat_map(|atom| &atom.app.args) {
        *needs.entry(*var).or_default() += 1;
    }
    if let Some(head) = &rule.head {
        for (var, is_used) in head.args.iter().zip(&used[head.pred.index()]) {
            if *is_used {
                *needs.entry(*var).or_default() += 1;
            }
        }
    }
    let mut marked = Vec::new();
    for atom in &rule.body {
        for (place, var) in atom.app.args.iter().enumerate() {
            let mark = &mut used[atom.app.pred.index()][place];
            if !*mark && needs.get(var).is_some_and(|&n| n > 1) {
                *mark = true;
                marked.push(atom.app.pred);
            }
        }
    }
    marked
}
