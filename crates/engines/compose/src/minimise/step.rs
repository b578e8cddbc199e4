//! One step: some items are composed, labels that only they have are hidden, and the result is minimised.

use std::collections::{BTreeMap, BTreeSet};

use suppose_control::{Context, Stopped};
use suppose_model::Run;
use suppose_model::lts::{
    Edge, Fairness, Label, Lts, LtsBuilder, SizeLimits, TooLarge, ignoring_divergence,
    keeping_divergence,
};

use super::{Forest, Part};
use crate::concrete::Concrete;

/// Bytes that minimising takes for every transition.
const BYTES: u64 = 80;

/// A composition of some items, and its quotient.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub members: Vec<Part>,
    /// The composition of the members; states have a slot for each.
    pub whole: Concrete,
    /// The class of every state.
    pub class: Vec<u32>,
    /// The quotient. Its alphabet is what is not hidden.
    pub lts: Lts,
    /// What it calls each label of the members; none if it is hidden.
    calls: Vec<Option<Label>>,
}

impl Step {
    /// Is that label hidden from what is composed later?
    pub fn hides(&self, label: Label) -> bool {
        self.calls[label.index()].is_none()
    }

    /// What the quotient calls a label, if it is not hidden.
    pub fn calls(&self, label: Label) -> Option<Label> {
        self.calls[label.index()]
    }

    /// Adds what was explored to the statistics.
    pub fn count(&self, run: &mut Run) {
        run.states += self.whole.len() as u64;
        run.transitions += self.whole.transitions;
        run.largest = run.largest.max(self.whole.len() as u64);
        run.assumption_peak = run.assumption_peak.max(self.lts.states() as u64);
    }
}

/// Composes and minimises items. None if that becomes larger than the context allows.
pub(super) fn build(
    forest: &Forest,
    items: &[usize],
    cx: &Context,
) -> Result<Option<Step>, Stopped> {
    let parts: Vec<&Lts> = items.iter().map(|i| &forest.items[*i].lts).collect();
    let whole = match Concrete::build(&parts, forest.labels(), cx) {
        Ok(Some(whole)) => whole,
        Ok(None) => return Ok(None),
        // Too many states, or is it that the engine is to stop?
        Err(Stopped::Superseded) => return cx.check().map(|()| None),
        Err(other) => return Err(other),
    };
    let calls = calls(forest, items);
    let edges = (0..whole.len() as u32).map(|s| whole.edges(s).len() as u64);
    cx.reserve(BYTES * edges.sum::<u64>())?;
    let hidden = hide(&whole, &calls, cx)?;
    let quotient = match forest.claim.map(|c| c.fairness) {
        Some(Fairness::FairChoice) => ignoring_divergence(&hidden, &SizeLimits::default(), cx),
        Some(Fairness::None) | None => keeping_divergence(&hidden, &SizeLimits::default(), cx),
    };
    match quotient {
        Ok(quotient) => Ok(Some(Step {
            members: items.iter().map(|i| forest.items[*i].part).collect(),
            whole,
            class: quotient.class,
            lts: quotient.lts,
            calls,
        })),
        Err(TooLarge::Stopped(stopped)) => Err(stopped),
        Err(_) => Ok(None),
    }
}

/// What the quotient of a composition calls each label; none if it is hidden. Labels that another item has too keep their names, and so does that of the end. Of
/// the others the claim about liveness, if it is about one, tells apart those that have different effects; the least
/// of each effect stands for them.
fn calls(forest: &Forest, items: &[usize]) -> Vec<Option<Label>> {
    let mut shared = vec![false; forest.labels()];
    let others = forest.items.iter().enumerate();
    let others = others.filter(|(i, _)| !items.contains(i));
    for label in others.flat_map(|(_, item)| item.lts.alphabet()) {
        shared[label.index()] = true;
    }
    shared[forest.ended.index()] = true;
    let ours = items.iter().flat_map(|i| forest.items[*i].lts.alphabet());
    let ours: BTreeSet<Label> = ours.copied().collect();
    let mut calls = vec![None; forest.labels()];
    let mut of_effect: BTreeMap<Vec<(bool, bool)>, Label> = BTreeMap::new();
    for label in ours {
        calls[label.index()] = match forest.claim {
            _ if shared[label.index()] => Some(label),
            Some(claim) => {
                let effect = claim.effect(label);
                let is_seen = effect.iter().any(|e| *e != (false, false));
                is_seen.then(|| *of_effect.entry(effect).or_insert(label))
            }
            None => None,
        };
    }
    calls
}

fn hide(whole: &Concrete, calls: &[Option<Label>], cx: &Context) -> Result<Lts, Stopped> {
    let mut builder = LtsBuilder::new("");
    builder.extend_alphabet(calls.iter().flatten().copied());
    builder.states(whole.len() as u32);
    let mut row: Vec<Edge> = Vec::new();
    for state in 0..whole.len() as u32 {
        if state.is_multiple_of(4096) {
            cx.check()?;
        }
        row.clear();
        row.extend(whole.edges(state).iter().map(|edge| Edge {
            label: calls[edge.label.index()].unwrap_or(Label::TAU),
            target: edge.target,
        }));
        // Sorting all edges at once, as the builder does, takes longer where they are not sorted already.
        row.sort_unstable();
        for edge in &row {
            builder.edge(state, edge.label, edge.target);
        }
    }
    Ok(builder.build())
}
