//! Strong bisimulation: the signature of a state is its edges, targets replaced by blocks.

use super::graph::Graph;
use super::partition::{Marks, Partition, entry};
use crate::lts::{Label, SizeLimits, TooLarge};

/// The class of every node.
pub(super) fn classes(graph: &Graph, limits: &SizeLimits) -> Result<Vec<u32>, TooLarge> {
    let mut partition = Partition::new(graph, limits);
    let mut marks = Marks::new(graph.nodes);
    let mut look_at: Vec<u32> = (0..graph.nodes as u32).collect();
    let mut signature = Vec::new();
    while !look_at.is_empty() {
        for state in &look_at {
            sign(graph, &partition.block, *state, &mut signature);
            let id = partition.intern(&signature)?;
            partition.set_signature(*state, id);
        }
        let moved = partition.split(&look_at);
        look_at.clear();
        marks.clear();
        for state in &moved {
            let sources = graph.visible_back.row(*state).iter();
            for source in sources.chain(graph.tau_back.row(*state)) {
                if marks.add(*source) {
                    look_at.push(*source);
                }
            }
        }
    }
    Ok(partition.block)
}

fn sign(graph: &Graph, block: &[u32], state: u32, signature: &mut Vec<u64>) {
    signature.clear();
    let silent = graph.tau.row(state).iter();
    signature.extend(silent.map(|t| entry(Label::TAU.0, block[*t as usize])));
    let visible = graph.visible.row(state).iter();
    signature.extend(visible.map(|(l, t)| entry(*l, block[*t as usize])));
    signature.sort_unstable();
    signature.dedup();
}
