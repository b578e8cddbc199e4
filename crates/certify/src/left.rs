//! The steps of the left side of a premise: a parallel composition of LTSs.

use suppose_model::Guarantee;
use suppose_model::lts::{ComponentKind, Edge, Label, Lts, Network, State};

use crate::rejection::Rejection;

/// A composition of LTSs: they synchronise on shared labels and interleave on all others and on `tau`.
pub(crate) struct LeftSide<'a> {
    members: Vec<&'a Lts>,
    /// The members that have label `l` are `with[starts[l]..starts[l + 1]]`, ascending. The
    /// first is the label's *leader*: only its edges are enumerated to find the label's steps.
    with: Vec<u32>,
    starts: Vec<u32>,
    /// The priority class of every label; none without priority.
    ranks: Option<Vec<Rank>>,
}

/// The priority class of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// Where it is enabled, labels that yield are blocked.
    Preferred,
    Yields,
    /// Outside priority: neither blocks nor is blocked.
    Outside,
}

/// One step: these members move to these states, all others stay.
pub(crate) struct Move<'s> {
    pub label: Label,
    pub members: &'s [u32],
    pub targets: &'s [State],
}

/// Working memory of [`LeftSide::steps`], so that a step costs no allocation.
#[derive(Default)]
pub(crate) struct Scratch<'a> {
    choices: Vec<&'a [Edge]>,
    digits: Vec<usize>,
    targets: Vec<State>,
}

impl<'a> LeftSide<'a> {
    /// The joint steps of some components of a network, projected to the labels of a guarantee.
    pub fn new(members: Vec<&'a Lts>, network: &Network, guarantee: Guarantee) -> Self {
        let labels = network.labels.len();
        let mut starts = vec![0u32; labels + 1];
        for label in members.iter().flat_map(|m| m.alphabet()) {
            starts[label.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut with = vec![0u32; starts[labels] as usize];
        for (number, member) in members.iter().enumerate() {
            for label in member.alphabet() {
                with[next[label.index()] as usize] = number as u32;
                next[label.index()] += 1;
            }
        }
        LeftSide {
            members,
            with,
            starts,
            ranks: ranks(network, guarantee),
        }
    }

    /// Lets labels take part in the priority though no process has them.
    pub fn with_labels(mut self, network: &Network, labels: &[Label]) -> Self {
        if let (Some(ranks), Some(priority)) = (&mut self.ranks, &network.priority) {
            for label in labels {
                ranks[label.index()] = match priority.labels.contains(label) == priority.low {
                    true => Rank::Yields,
                    false => Rank::Preferred,
                };
            }
        }
        self
    }

    /// Those that run together.
    pub fn members(&self) -> &[&'a Lts] {
        &self.members
    }

    /// The members that have the label.
    pub fn with(&self, label: Label) -> &[u32] {
        let l = label.index();
        &self.with[self.starts[l] as usize..self.starts[l + 1] as usize]
    }

    /// Visits every step from the given states (in any order), except those that priority
    /// forbids, until the visitor fails.
    pub fn steps(
        &self,
        states: &[State],
        scratch: &mut Scratch<'a>,
        mut visit: impl FnMut(Move) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let Some(ranks) = &self.ranks else {
            return self.labels(states, |label, members, own| {
                if self.choose(states, label, members, own, scratch) {
                    combine(label, members, scratch, &mut visit)?;
                }
                Ok(())
            });
        };
        let mut yielding = false;
        self.labels(states, |label, members, own| {
            yielding |= ranks[label.index()] == Rank::Preferred
                && self.choose(states, label, members, own, scratch);
            Ok(())
        })?;
        self.labels(states, |label, members, own| {
            let permitted = !yielding || ranks[label.index()] != Rank::Yields;
            if permitted && self.choose(states, label, members, own, scratch) {
                combine(label, members, scratch, &mut visit)?;
            }
            Ok(())
        })
    }

    /// For every label that its leader can do (and every `tau`): the members that have to take
    /// part, and the edges of the first.
    fn labels(
        &self,
        states: &[State],
        mut each: impl FnMut(Label, &[u32], &'a [Edge]) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        for (number, member) in self.members.iter().enumerate() {
            let number = number as u32;
            let mut rest = member.edges(states[number as usize]);
            while let Some(first) = rest.first() {
                let label = first.label;
                let same = rest.iter().take_while(|e| e.label == label).count();
                let (own, others) = rest.split_at(same);
                rest = others;
                if label.is_tau() {
                    each(label, &[number], own)?;
                } else {
                    let members = self.with(label);
                    if members[0] == number {
                        each(label, members, own)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts the edges that each member can choose from into the scratch; false if one has none.
    fn choose(
        &self,
        states: &[State],
        label: Label,
        members: &[u32],
        own: &'a [Edge],
        scratch: &mut Scratch<'a>,
    ) -> bool {
        scratch.choices.clear();
        scratch.choices.push(own);
        for member in &members[1..] {
            let member = *member as usize;
            let edges = self.members[member].successors(states[member], label);
            if edges.is_empty() {
                return false;
            }
            scratch.choices.push(edges);
        }
        true
    }
}

/// Outside priority are the marks of errors, and labels that no process has: all of them for freedom
/// from deadlock, for a property those that no property but other asserted ones has.
pub(crate) fn ranks(network: &Network, guarantee: Guarantee) -> Option<Vec<Rank>> {
    let priority = network.priority.as_ref()?;
    let rank = |label: Label| match priority.labels.contains(&label) == priority.low {
        true => Rank::Yields,
        false => Rank::Preferred,
    };
    let mut ranks: Vec<Rank> = (0..network.labels.len() as u32)
        .map(|l| rank(Label(l)))
        .collect();
    for label in &network.errors {
        ranks[label.index()] = Rank::Outside;
    }
    let mut inside = vec![false; ranks.len()];
    inside[Label::TAU.index()] = true;
    let processes = network.components.iter();
    let processes = processes.filter(|c| c.kind == ComponentKind::Process);
    for label in processes.flat_map(|c| c.lts.alphabet()) {
        inside[label.index()] = true;
    }
    if guarantee != Guarantee::DeadlockFree {
        for (number, property) in network.properties.iter().enumerate() {
            let asked = guarantee == Guarantee::Property(number);
            for label in property.lts.alphabet() {
                inside[label.index()] |= asked || !property.asserted;
            }
        }
    }
    let outside = ranks.iter_mut().zip(inside).filter(|(_, inside)| !inside);
    outside.for_each(|(rank, _)| *rank = Rank::Outside);
    Some(ranks)
}

/// Visits every combination of the chosen edges, one of each member, by counting.
fn combine(
    label: Label,
    members: &[u32],
    scratch: &mut Scratch,
    visit: &mut impl FnMut(Move) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let Scratch {
        choices,
        digits,
        targets,
    } = scratch;
    targets.clear();
    targets.extend(choices.iter().map(|edges| edges[0].target));
    visit(Move {
        label,
        members,
        targets,
    })?;
    if choices.iter().all(|edges| edges.len() == 1) {
        return Ok(());
    }
    digits.clear();
    digits.resize(choices.len(), 0);
    loop {
        let mut place = 0;
        loop {
            let Some(edges) = choices.get(place) else {
                return Ok(());
            };
            digits[place] += 1;
            if digits[place] < edges.len() {
                targets[place] = edges[digits[place]].target;
                break;
            }
            digits[place] = 0;
            targets[place] = edges[0].target;
            place += 1;
        }
        visit(Move {
            label,
            members,
            targets,
        })?;
    }
}
