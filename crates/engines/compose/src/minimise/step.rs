//! One step: some items are composed, labels that only they have are hidden, and the result is minimised.

use suppose_control::{Context, Stopped};
use suppose_model::Run;
use suppose_model::lts::{Edge, Label, Lts, LtsBuilder, SizeLimits, TooLarge, keeping_divergence};

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
}

impl Step {
    /// Is that label hidden from what is composed later?
    pub fn hides(&self, label: Label) -> bool {
        label.is_tau() || !self.lts.has_label(label)
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
    let visible = visible(forest, items);
    let edges = (0..whole.len() as u32).map(|s| whole.edges(s).len() as u64);
    cx.reserve(BYTES * edges.sum::<u64>())?;
    let hidden = hide(&whole, &visible, cx)?;
    match keeping_divergence(&hidden, &SizeLimits::default(), cx) {
        Ok(quotient) => Ok(Some(Step {
            members: items.iter().map(|i| forest.items[*i].part).collect(),
            whole,
            class: quotient.class,
            lts: quotient.lts,
        })),
        Err(TooLarge::Stopped(stopped)) => Err(stopped),
        Err(_) => Ok(None),
    }
}

/// For every label, whether it is one of these items and of another one too, or that of the end.
fn visible(forest: &Forest, items: &[usize]) -> Vec<bool> {
    let mut visible = vec![false; forest.labels()];
    let others = forest.items.iter().enumerate();
    let others = others.filter(|(i, _)| !items.contains(i));
    for label in others.flat_map(|(_, item)| item.lts.alphabet()) {
        visible[label.index()] = true;
    }
    visible[forest.ended.index()] = true;
    let mut ours = vec![false; forest.labels()];
    for item in items {
        for label in forest.items[*item].lts.alphabet() {
            ours[label.index()] = true;
        }
    }
    visible.iter_mut().zip(ours).for_each(|(v, own)| *v &= own);
    visible
}

fn hide(whole: &Concrete, visible: &[bool], cx: &Context) -> Result<Lts, Stopped> {
    let mut builder = LtsBuilder::new("");
    let labels = visible.iter().enumerate().filter(|(_, visible)| **visible);
    builder.extend_alphabet(labels.map(|(label, _)| Label(label as u32)));
    builder.states(whole.len() as u32);
    let mut row: Vec<Edge> = Vec::new();
    for state in 0..whole.len() as u32 {
        if state.is_multiple_of(4096) {
            cx.check()?;
        }
        row.clear();
        row.extend(whole.edges(state).iter().map(|edge| Edge {
            label: match visible[edge.label.index()] {
                true => edge.label,
                false => Label::TAU,
            },
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
