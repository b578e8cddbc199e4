//! Lower and upper bounds of the labels VF and VB, and the classes they allow to merge.
//!
//! With the environment itself instead of an abstraction all edges are must-edges and the bounds
//! are the labels: then this is sections 3 and 4 of the paper, else section 5.

use rustc_hash::FxHashSet;
use suppose_control::Context;
use suppose_model::Reason;

use super::abstraction::Member;
use super::partition::Partition;
use super::process::{Direction, Process};
use super::region::{ERROR, Region};
use super::sets::{Sets, full, insert, is_empty, meet, ones, unite};

const ASK_EVERY: usize = 1 << 14;

/// For every state of a region the edges to follow: channel, the state at the other end, and the
/// number of the edge; sorted by channel.
struct Adjacency {
    starts: Vec<u32>,
    items: Vec<(u32, u32, u32)>,
}

impl Adjacency {
    fn new(region: &Region, way: Direction) -> Self {
        let mut all: Vec<(u32, (u32, u32, u32))> = Vec::with_capacity(region.edges.len());
        for state in 0..region.len() {
            for number in region.edges_of(state) {
                let edge = region.edges[number];
                if edge.target == ERROR {
                    continue;
                }
                let (at, other) = match way {
                    Direction::Forward => (state as u32, edge.target),
                    Direction::Backward => (edge.target, state as u32),
                };
                all.push((at, (edge.channel, other, number as u32)));
            }
        }
        all.sort_unstable();
        let mut starts = vec![0u32; region.len() + 1];
        for (at, _) in &all {
            starts[*at as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Adjacency {
            starts,
            items: all.into_iter().map(|(_, item)| item).collect(),
        }
    }

    fn of(&self, state: usize) -> &[(u32, u32, u32)] {
        &self.items[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

/// Which edges of a region are must-edges.
#[derive(Clone, Debug)]
pub(super) struct Modality {
    /// Are all of them?
    pub exact: bool,
    pub forward: Vec<bool>,
    pub backward: Vec<bool>,
}

impl Modality {
    pub fn new(region: &Region, members: &[Member<'_>], cx: &Context) -> Result<Self, Reason> {
        let count = region.edges.len();
        let mut it = Modality {
            exact: true,
            forward: vec![true; count],
            backward: vec![true; count],
        };
        if members.iter().all(|m| m.partition.is_discrete()) {
            return Ok(it);
        }
        it.exact = false;
        for state in 0..region.len() {
            if state.is_multiple_of(256) {
                cx.spend(ASK_EVERY as u64)?;
            }
            for number in region.edges_of(state) {
                let edge = region.edges[number];
                for (slot, from, to) in region.movers(members, state, &edge) {
                    let member = &members[slot];
                    match to {
                        // The error state is one state: any predecessor is enough.
                        None => it.backward[number] &= member.must_enable(from, edge.label),
                        Some(to) => {
                            let edge = (from, edge.label, to);
                            it.forward[number] &= member.must_forward(edge);
                            it.backward[number] &= member.must_backward(edge);
                        }
                    }
                }
            }
        }
        Ok(it)
    }
}

/// The bounds in one direction, and how far each state is from where the fixpoint began.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub lower: Sets,
    pub upper: Sets,
    /// In edges that must be taken; `u32::MAX` where the lower bound is empty or inherited.
    pub distance: Vec<u32>,
}

/// Forward bounds; `inherited` is a lower bound that is known already.
pub(super) fn forward(
    region: &Region,
    modality: &Modality,
    process: &Process,
    inherited: Sets,
    cx: &Context,
) -> Result<Bounds, Reason> {
    let mut lower = inherited;
    let adjacency = Adjacency::new(region, Direction::Forward);
    let follow = |edge: u32| modality.forward[edge as usize];
    if modality.exact {
        // All edges must be taken: both bounds are the least fixpoint that the region was made by.
        lower = region.upper.clone();
    } else {
        insert(lower.row_mut(0), process.initial);
        saturate(
            &mut lower,
            &adjacency,
            process,
            Direction::Forward,
            follow,
            cx,
        )?;
    }
    let distance = distances(&lower, &adjacency, &[0], follow);
    Ok(Bounds {
        lower,
        upper: region.upper.clone(),
        distance,
    })
}

/// What leads to the error along edges that are known, and so must not be reached when the
/// property is to hold; less than the upper bound where not all is expanded.
pub(super) fn doomed(region: &Region, process: &Process, cx: &Context) -> Result<Sets, Reason> {
    let adjacency = Adjacency::new(region, Direction::Backward);
    let mut sets = Sets::new(region.len(), process.states);
    let all = full(process.states);
    for state in 0..region.len() {
        for edge in &region.edges[region.edges_of(state)] {
            if edge.target == ERROR {
                let seed = match edge.channel {
                    0 => &all[..],
                    channel => process.offers(channel),
                };
                unite(sets.row_mut(state), seed);
            }
        }
    }
    saturate(
        &mut sets,
        &adjacency,
        process,
        Direction::Backward,
        |_| true,
        cx,
    )?;
    Ok(sets)
}

/// Backward bounds. What is not expanded may all lead to the error.
pub(super) fn backward(
    region: &Region,
    modality: &Modality,
    process: &Process,
    inherited: Sets,
    cx: &Context,
) -> Result<Bounds, Reason> {
    let adjacency = Adjacency::new(region, Direction::Backward);
    let mut lower = inherited;
    let mut upper = Sets::new(region.len(), process.states);
    let all = full(process.states);
    let mut starts = Vec::new();
    for state in 0..region.len() {
        if !region.is_expanded(state) {
            upper.fill(state);
        }
        for number in region.edges_of(state) {
            let edge = region.edges[number];
            if edge.target != ERROR {
                continue;
            }
            let seed = match edge.channel {
                0 => &all[..],
                channel => process.offers(channel),
            };
            unite(upper.row_mut(state), seed);
            if modality.backward[number] && !is_empty(seed) {
                unite(lower.row_mut(state), seed);
                starts.push(state as u32);
            }
        }
    }
    let follow = |edge: u32| modality.backward[edge as usize];
    saturate(
        &mut lower,
        &adjacency,
        process,
        Direction::Backward,
        follow,
        cx,
    )?;
    saturate(
        &mut upper,
        &adjacency,
        process,
        Direction::Backward,
        |_| true,
        cx,
    )?;
    let distance = distances(&lower, &adjacency, &starts, follow);
    Ok(Bounds {
        lower,
        upper,
        distance,
    })
}

/// The least sets that contain the given ones and are closed under the edges to follow and the
/// private steps of the process.
fn saturate(
    sets: &mut Sets,
    adjacency: &Adjacency,
    process: &Process,
    way: Direction,
    follow: impl Fn(u32) -> bool,
    cx: &Context,
) -> Result<(), Reason> {
    let words = sets.row(0).len();
    cx.reserve((sets.len() * words * 8) as u64)?;
    let mut done = Sets::new(sets.len(), sets.width());
    let mut queued: Vec<bool> = (0..sets.len()).map(|s| !is_empty(sets.row(s))).collect();
    let mut queue: std::collections::VecDeque<u32> = (0..sets.len() as u32)
        .filter(|s| queued[*s as usize])
        .collect();
    let (mut image, mut new) = (vec![0; words], vec![0; words]);
    let mut work = 0;
    while let Some(state) = queue.pop_front() {
        let state = state as usize;
        queued[state] = false;
        let (all, done) = (sets.row_mut(state), done.row_mut(state));
        process.close_from(way, all, done);
        for ((word, all), old) in new.iter_mut().zip(all).zip(done) {
            *word = *all & !*old;
            *old = *all;
        }
        let mut last = 0;
        for (channel, other, edge) in adjacency.of(state) {
            work += words + 16;
            if work > ASK_EVERY {
                work = 0;
                cx.spend(ASK_EVERY as u64)?;
            }
            if !follow(*edge) {
                continue;
            }
            if *channel != last {
                last = *channel;
                image.fill(0);
                process.image(way, last, &new, &mut image);
            }
            let set = if last == 0 { &new } else { &image };
            let other = *other as usize;
            if unite(sets.row_mut(other), set) && !queued[other] {
                queued[other] = true;
                queue.push_back(other as u32);
            }
        }
    }
    Ok(())
}

fn distances(
    sets: &Sets,
    adjacency: &Adjacency,
    starts: &[u32],
    follow: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let mut distance = vec![u32::MAX; sets.len()];
    let mut level: Vec<u32> = starts.to_vec();
    for start in starts {
        distance[*start as usize] = 0;
    }
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in &level {
            for (_, other, edge) in adjacency.of(*state as usize) {
                let at = *other as usize;
                if follow(*edge) && distance[at] == u32::MAX && !is_empty(sets.row(at)) {
                    distance[at] = depth;
                    next.push(*other);
                }
            }
        }
        level = next;
    }
    distance
}

impl Bounds {
    /// States of the process that may be merged: in each state of the region both are in the lower
    /// bound, or neither is in the upper one. States between the bounds somewhere stay alone.
    pub fn classes(&self, region: &Region) -> Partition {
        let states = self.upper.width();
        let mut unsure = vec![0; states.div_ceil(64).max(1)];
        let rows = || (0..region.len()).filter(|s| region.is_expanded(*s));
        for row in rows() {
            let pairs = self.upper.row(row).iter().zip(self.lower.row(row));
            for (word, (upper, lower)) in unsure.iter_mut().zip(pairs) {
                *word |= upper & !lower;
            }
        }
        let mut partition = Partition::one(states);
        let mut parent = Vec::new();
        for state in ones(&unsure) {
            partition.split([state], &mut parent);
        }
        let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
        for row in rows() {
            let sure = self.upper.row(row).iter().zip(&unsure);
            let sure: Vec<u64> = sure.map(|(upper, unsure)| upper & !unsure).collect();
            if !is_empty(&sure) && seen.insert(sure.clone()) {
                partition.split(ones(&sure), &mut parent);
            }
        }
        partition
    }

    /// Do the bounds separate every two states of the process for good, so that no refinement
    /// can ever merge any? Only small processes are looked at.
    pub fn separates_all(&self, region: &Region) -> bool {
        const MOST: usize = 128;
        let states = self.upper.width();
        if states > MOST {
            return false;
        }
        let mut apart = vec![vec![0u64; MOST / 64]; states];
        let rows = (0..region.len()).filter(|s| region.is_expanded(*s));
        for row in rows {
            for state in ones(self.lower.row(row)) {
                let outside = self.upper.row(row);
                for (word, upper) in apart[state as usize].iter_mut().zip(outside) {
                    *word |= !upper;
                }
            }
        }
        let is_apart = |a: usize, b: usize| apart[a][b / 64] >> (b % 64) & 1 == 1;
        (0..states).all(|a| (0..a).all(|b| is_apart(a, b) || is_apart(b, a)))
    }
}

/// Is there a step into the error from some state in the sets?
pub(super) fn reaches_error(region: &Region, process: &Process, sets: &Sets) -> bool {
    (0..region.len()).any(|state| {
        let mut edges = region.edges[region.edges_of(state)].iter();
        let set = sets.row(state);
        edges.any(|edge| {
            edge.target == ERROR
                && match edge.channel {
                    0 => !is_empty(set),
                    channel => meet(set, process.offers(channel)),
                }
        })
    })
}
