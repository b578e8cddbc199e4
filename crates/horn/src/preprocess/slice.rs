//! Slicing: what no query needs, and what cannot be derived, goes.
//!
//! A predicate from which no query is reached is true: every clause with it in its body has a head
//! of the same kind. One that no clause derives, even without constraints, is false.

use rustc_hash::FxHashSet;
use suppose_model::horn::{Pred, TermId, Terms};

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

fn derivable(system: &Working) -> FxHashSet<Pred> {
    let mut derivable: FxHashSet<Pred> = FxHashSet::default();
    loop {
        let before = derivable.len();
        for rule in &system.rules {
            if let Some(head) = &rule.head
                && rule
                    .body
                    .iter()
                    .all(|atom| derivable.contains(&atom.app.pred))
            {
                derivable.insert(head.pred);
            }
        }
        if derivable.len() == before {
            return derivable;
        }
    }
}

fn needed(system: &Working, derivable: &FxHashSet<Pred>) -> FxHashSet<Pred> {
    let mut needed: FxHashSet<Pred> = FxHashSet::default();
    loop {
        let before = needed.len();
        for rule in &system.rules {
            let wanted = rule
                .head
                .as_ref()
                .is_none_or(|head| needed.contains(&head.pred));
            if wanted
                && rule
                    .body
                    .iter()
                    .all(|atom| derivable.contains(&atom.app.pred))
            {
                needed.extend(rule.body.iter().map(|atom| atom.app.pred));
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}
