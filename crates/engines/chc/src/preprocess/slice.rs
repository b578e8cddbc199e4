//! Slicing: what no query needs, and what cannot be derived, goes.
//!
//! A predicate from which no query is reached is true: every clause with it in its body has a head
//! of the same kind. One that no clause derives, even without constraints, is false.

use rustc_hash::FxHashSet;
use suppose_model::chc::{Pred, TermId, Terms};

use super::working::Working;

/// What became of the predicates that went.
#[derive(Clone, Debug)]
pub(super) struct Sliced {
    truths: Vec<(Pred, bool)>,
}

impl Sliced {
    /// Definitions before from those after.
    pub(super) fn definitions(&self, definitions: &mut [TermId]) {
        for &(pred, truth) in &self.truths {
            definitions[pred.index()] = if truth { Terms::TRUE } else { Terms::FALSE };
        }
    }
}

/// Removes them; none if there is nothing to remove.
pub(super) fn run(system: &mut Working) -> Option<Sliced> {
    let before = system.rules.len();
    system.rules.retain(|rule| rule.constraint != Terms::FALSE);
    let derivable = derivable(system);
    let needed = needed(system, &derivable);
    let mut present: Vec<Pred> = system
        .rules
        .iter()
        .flat_map(|rule| rule.apps().map(|app| app.pred))
        .collect();
    present.sort_unstable();
    present.dedup();
    system.rules.retain(|rule| {
        rule.body
            .iter()
            .all(|atom| derivable.contains(&atom.app.pred))
            && rule
                .head
                .as_ref()
                .is_none_or(|app| needed.contains(&app.pred))
    });
    // A predicate whose clauses were all false is in no rule any more, and `present` does not have it: the
    // default of `definitions` is false.
    let truths: Vec<(Pred, bool)> = present
        .into_iter()
        .filter(|pred| !derivable.contains(pred) || !needed.contains(pred))
        .map(|pred| (pred, derivable.contains(&pred)))
        .collect();
    (system.rules.len() < before || !truths.is_empty()).then_some(Sliced { truths })
}

/// What some clause derives whose body is derived too, constraints aside.
fn derivable(system: &Working) -> FxHashSet<Pred> {
    let mut waiting: Vec<usize> = system.rules.iter().map(|rule| rule.body.len()).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.predicates.len()];
    let mut open: Vec<Pred> = Vec::new();
    for (number, rule) in system.rules.iter().enumerate() {
        for atom in &rule.body {
            users[atom.app.pred.index()].push(number);
        }
        if rule.body.is_empty() {
            open.extend(rule.head.as_ref().map(|head| head.pred));
        }
    }
    let mut derivable: FxHashSet<Pred> = FxHashSet::default();
    while let Some(pred) = open.pop() {
        if !derivable.insert(pred) {
            continue;
        }
        for &number in &users[pred.index()] {
            waiting[number] -= 1;
            if waiting[number] == 0 {
                open.extend(system.rules[number].head.as_ref().map(|head| head.pred));
            }
        }
    }
    derivable
}

/// The predicates in the body of a query, or of a clause of something needed, if all of that body can be derived.
fn needed(system: &Working, derivable: &FxHashSet<Pred>) -> FxHashSet<Pred> {
    let mut defining: Vec<Vec<usize>> = vec![Vec::new(); system.predicates.len()];
    let mut open: Vec<Pred> = Vec::new();
    let body = |number: usize| {
        let preds = system.rules[number].body.iter().map(|atom| atom.app.pred);
        let preds: Vec<Pred> = preds.collect();
        preds.iter().all(|p| derivable.contains(p)).then_some(preds)
    };
    for (number, rule) in system.rules.iter().enumerate() {
        match &rule.head {
            Some(head) => defining[head.pred.index()].push(number),
            None => open.extend(body(number).into_iter().flatten()),
        }
    }
    let mut needed: FxHashSet<Pred> = FxHashSet::default();
    while let Some(pred) = open.pop() {
        if needed.insert(pred) {
            for &number in &defining[pred.index()] {
                open.extend(body(number).into_iter().flatten());
            }
        }
    }
    needed
}
