//! Branching bisimulation, on a graph without `tau` cycles.
//!
//! The signature of a state is what it and the states it can silently become without leaving its
//! block can do. Nodes are numbered so that `tau` leads to smaller numbers: in ascending order,
//! the signatures of silent successors are known.

use suppose_control::Context;

use super::graph::Graph;
use super::partition::{Marks, Partition, entry};
use crate::lts::{Label, SizeLimits, TooLarge};

/// Ask the context after this many signatures; each takes about so many of its steps.
const ASK_EVERY: usize = 1024;
const WORK_OF_A_STATE: u64 = 30;

/// The class of every node.
pub(super) fn classes(
    graph: &Graph,
    limits: &SizeLimits,
    cx: &Context,
) -> Result<Vec<u32>, TooLarge> {
    let mut partition = Partition::new(graph, limits);
    let mut marks = Marks::new(graph.nodes);
    let mut look_at: Vec<u32> = (0..graph.nodes as u32).collect();
    let (mut own, mut inherited) = (Vec::new(), Vec::new());
    while !look_at.is_empty() {
        for (number, state) in look_at.iter().enumerate() {
            if number.is_multiple_of(ASK_EVERY) {
                let examined = ASK_EVERY.min(look_at.len()) as u64;
                cx.spend(WORK_OF_A_STATE * examined)
                    .map_err(TooLarge::Stopped)?;
            }
            sign(graph, &partition, *state, &mut own, &mut inherited);
            let id = partition.intern_union(&mut inherited, &mut own)?;
            partition.set_signature(*state, id);
        }
        let moved = partition.split(&look_at);
        look_at = affected(graph, &partition.block, &moved, &mut marks);
    }
    Ok(partition.block)
}

/// What a state itself can do, and the signatures it inherits from the states it can become.
fn sign(
    graph: &Graph,
    partition: &Partition,
    state: u32,
    own: &mut Vec<u64>,
    inherited: &mut Vec<u32>,
) {
    own.clear();
    inherited.clear();
    let block = &partition.block;
    let visible = graph.visible.row(state).iter();
    own.extend(visible.map(|(l, t)| entry(*l, block[*t as usize])));
    for target in graph.tau.row(state) {
        let other = block[*target as usize];
        if other == block[state as usize] {
            inherited.push(partition.signature_of(*target));
        } else {
            own.push(entry(Label::TAU.0, other));
        }
    }
    own.sort_unstable();
    own.dedup();
}

/// The states whose signature may have changed, in ascending order: those that moved (their
/// silent steps may now leave the block), those with an edge to them, and those that can silently
/// become one of these inside their block.
fn affected(graph: &Graph, block: &[u32], moved: &[u32], marks: &mut Marks) -> Vec<u32> {
    marks.clear();
    let mut found = Vec::new();
    for state in moved {
        let own = std::iter::once(state);
        let sources = graph.visible_back.row(*state).iter();
        let silent_sources = graph.tau_back.row(*state).iter();
        for state in own.chain(sources).chain(silent_sources) {
            if marks.add(*state) {
                found.push(*state);
            }
        }
    }
    let mut next = 0;
    while next < found.len() {
        let state = found[next];
        for source in graph.tau_back.row(state) {
            if block[*source as usize] == block[state as usize] && marks.add(*source) {
                found.push(*source);
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}
