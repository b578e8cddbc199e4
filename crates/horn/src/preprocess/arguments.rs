//! Arguments that nothing depends on go.
//!
//! An argument of a predicate is unused if in every clause with the predicate in its body the variable
//! there stands nowhere else, but for unused arguments of the head. A definition without
//! the argument is one with it; in a derivation its value is what the premise has.

use rustc_hash::FxHashMap;
use suppose_model::horn::{Pred, Var};

use super::working::Working;

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
    while spread(system, &constrained, &mut used) {}
    let mut changed = false;
    for (number, keep) in used.iter().enumerate() {
        if keep.contains(&false) && !keep.is_empty() {
            let pred = Pred(number as u32);
            changed |= system
                .rules
                .iter()
                .any(|rule| rule.apps().any(|app| app.pred == pred));
            system.keep_arguments(pred, keep);
        }
    }
    changed
}

/// Marks what is used because of what is marked so far. Did anything change?
fn spread(system: &Working, constrained: &[Vec<Var>], used: &mut [Vec<bool>]) -> bool {
    let mut changed = false;
    for (rule, constrained) in system.rules.iter().zip(constrained) {
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
        for atom in &rule.body {
            for (place, var) in atom.app.args.iter().enumerate() {
                let mark = &mut used[atom.app.pred.index()][place];
                if !*mark && needs.get(var).is_some_and(|&n| n > 1) {
                    *mark = true;
                    changed = true;
                }
            }
        }
    }
    changed
}
