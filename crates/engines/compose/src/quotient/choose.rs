//! Which classes of the environment to split (section 6 of the paper).
//!
//! An edge is worth it if it is no must-edge but would carry something new: from the lower bound
//! at one end to outside the lower bound at the other. Edges near the beginning of the fixpoint
//! come first. The paper takes one edge a round; here a round may take several.

use super::abstraction::Member;
use super::bounds::{Bounds, Modality};
use super::process::{Direction, Process};
use super::region::{ERROR, Region};
use super::sets::{Sets, full, is_empty};

/// Splits a member of the environment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Split {
    pub member: usize,
    pub set: Vec<u32>,
}

/// Everything a choice looks at.
pub(super) struct View<'a> {
    pub region: &'a Region,
    pub modality: &'a Modality,
    pub process: &'a Process,
    pub members: &'a [Member<'a>],
    pub bounds: &'a Bounds,
    /// Only what is new inside these sets counts.
    pub relevant: Option<&'a Sets>,
}

impl View<'_> {
    /// The splits that the nearest `most` edges call for.
    pub fn choose(&self, way: Direction, most: usize) -> Vec<Split> {
        let mut found: Vec<(u32, usize, usize)> = Vec::new();
        for state in 0..self.region.len() {
            for number in self.region.edges_of(state) {
                if let Some(distance) = self.worth(way, state, number) {
                    found.push((distance, state, number));
                }
            }
        }
        found.sort_unstable();
        let mut splits: Vec<Split> = Vec::new();
        for (_, state, number) in found.into_iter().take(most) {
            splits.extend(self.splits(way, state, number));
        }
        splits.sort();
        splits.dedup();
        splits
    }

    /// How far from the beginning an edge worth splitting for is.
    fn worth(&self, way: Direction, state: usize, number: usize) -> Option<u32> {
        let edge = self.region.edges[number];
        let lower = &self.bounds.lower;
        let must = match way {
            Direction::Forward => self.modality.forward[number],
            Direction::Backward => self.modality.backward[number],
        };
        if must {
            return None;
        }
        let (from, to) = match (way, edge.target) {
            (Direction::Forward, ERROR) => return None,
            (Direction::Forward, target) => (Some(state), target as usize),
            (Direction::Backward, ERROR) => (None, state),
            (Direction::Backward, target) => (Some(target as usize), state),
        };
        let all;
        let source = match from {
            Some(from) => lower.row(from),
            None => {
                all = full(self.process.states);
                &all[..]
            }
        };
        if is_empty(source) || !self.region.is_expanded(to) {
            return None;
        }
        let mut image = vec![0; source.len()];
        match (edge.channel, from) {
            (0, _) => image.copy_from_slice(source),
            (channel, None) => image.copy_from_slice(self.process.offers(channel)),
            (channel, _) => self.process.image(way, channel, source, &mut image),
        }
        let relevant = self.relevant.map(|sets| sets.row(to));
        let old = lower.row(to);
        let mut new = image.iter().enumerate().map(|(at, word)| {
            let wanted = relevant.map_or(u64::MAX, |r| r[at]);
            word & !old[at] & wanted
        });
        let distance = from.map_or(0, |from| self.bounds.distance[from]);
        new.any(|word| word != 0).then_some(distance)
    }

    fn splits(&self, way: Direction, state: usize, number: usize) -> Vec<Split> {
        let edge = self.region.edges[number];
        let movers = self.region.movers(self.members, state, &edge);
        let split = |(slot, from, to): (usize, u32, Option<u32>)| {
            let member = &self.members[slot];
            let set = match (way, to) {
                (Direction::Forward, Some(to)) => {
                    let it = (from, edge.label, to);
                    (!member.must_forward(it)).then(|| member.reached(it))
                }
                (Direction::Forward, None) => None,
                (Direction::Backward, Some(to)) => {
                    let it = (from, edge.label, to);
                    (!member.must_backward(it)).then(|| member.having(from, edge.label, Some(to)))
                }
                (Direction::Backward, None) => {
                    let able = member.must_enable(from, edge.label);
                    (!able).then(|| member.having(from, edge.label, None))
                }
            };
            set.map(|set| Split { member: slot, set })
        };
        movers.into_iter().filter_map(split).collect()
    }
}
