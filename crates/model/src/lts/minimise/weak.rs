//! Weak bisimulation, on a graph without `tau` cycles.
//!
//! Two sets of each node are kept up to date: the blocks it can silently reach, and its signature,
//! the blocks it can reach with each label and silent steps around it. Both are unions of the
//! successors' sets; only nodes that can silently reach a node whose block has changed, or get to
//! one by a visible step, are computed again.

use super::graph::Graph;
use super::partition::{Marks, Partition, entry};
use crate::lts::interner::Interner;
use crate::lts::{Label, SizeLimits, TooLarge};

/// The class of every node.
pub(super) fn classes(graph: &Graph, limits: &SizeLimits) -> Result<Vec<u32>, TooLarge> {
    let mut partition = Partition::new(graph, limits);
    let mut silent = Silent::new(graph.nodes, limits);
    let mut marks = Marks::new(graph.nodes);
    let mut look_at: Vec<u32> = (0..graph.nodes as u32).collect();
    let (mut own, mut inherited) = (Vec::new(), Vec::new());
    silent.update(graph, &partition.block, &look_at)?;
    while !look_at.is_empty() {
        for state in &look_at {
            sign(graph, &partition.block, &silent, *state, &mut own);
            inherited.clear();
            let becomes = graph.tau.row(*state).iter();
            inherited.extend(becomes.map(|t| partition.signature_of(*t)));
            let id = partition.intern_union(&mut inherited, &mut own)?;
            partition.set_signature(*state, id);
        }
        let moved = partition.split(&look_at);
        marks.clear();
        let mut reach = silently_before(graph, moved, &mut marks);
        reach.sort_unstable();
        silent.update(graph, &partition.block, &reach)?;
        look_at = affected(graph, reach, &mut marks);
    }
    Ok(partition.block)
}

/// The blocks every node can silently reach, its own included.
struct Silent {
    set: Vec<u32>,
    store: Interner<u32>,
    cleaned: usize,
    limits: SizeLimits,
}

impl Silent {
    fn new(nodes: usize, limits: &SizeLimits) -> Self {
        Silent {
            set: vec![u32::MAX; nodes],
            store: Interner::new(),
            cleaned: 0,
            limits: *limits,
        }
    }

    fn of(&self, state: u32) -> &[u32] {
        self.store.get(self.set[state as usize])
    }

    /// Computes the sets of the states given (ascending, so successors first) again.
    fn update(&mut self, graph: &Graph, block: &[u32], states: &[u32]) -> Result<(), TooLarge> {
        let mut blocks = Vec::new();
        for state in states {
            blocks.clear();
            blocks.push(block[*state as usize]);
            for target in graph.tau.row(*state) {
                blocks.extend_from_slice(self.of(*target));
            }
            blocks.sort_unstable();
            blocks.dedup();
            self.set[*state as usize] = self.store.intern(&blocks).0;
            self.limits.check_transitions(self.store.entries())?;
        }
        self.clean();
        Ok(())
    }

    /// Forgets sets that no state has, when they have become the larger part.
    fn clean(&mut self) {
        if self.store.entries() < 2 * self.cleaned + (1 << 16) {
            return;
        }
        let old = std::mem::replace(&mut self.store, Interner::new());
        let mut number = vec![u32::MAX; old.len()];
        for set in &mut self.set {
            let new = &mut number[*set as usize];
            if *new == u32::MAX {
                *new = self.store.intern(old.get(*set)).0;
            }
            *set = *new;
        }
        self.cleaned = self.store.entries();
    }
}

/// What a state can reach with its own visible steps, and the blocks it can silently reach that
/// its successors do not already name: its own.
fn sign(graph: &Graph, block: &[u32], silent: &Silent, state: u32, own: &mut Vec<u64>) {
    own.clear();
    own.push(entry(Label::TAU.0, block[state as usize]));
    for (label, target) in graph.visible.row(state) {
        let blocks = silent.of(*target).iter();
        own.extend(blocks.map(|b| entry(*label, *b)));
    }
    own.sort_unstable();
    own.dedup();
}

/// The states given and all that can silently reach one of them.
fn silently_before(graph: &Graph, mut states: Vec<u32>, marks: &mut Marks) -> Vec<u32> {
    states.retain(|s| marks.add(*s));
    let mut next = 0;
    while next < states.len() {
        for source in graph.tau_back.row(states[next]) {
            if marks.add(*source) {
                states.push(*source);
            }
        }
        next += 1;
    }
    states
}

/// The states whose signature mentions the silent reach of one of those given; ascending.
fn affected(graph: &Graph, reach: Vec<u32>, marks: &mut Marks) -> Vec<u32> {
    let mut sources: Vec<u32> = reach
        .iter()
        .flat_map(|s| graph.visible_back.row(*s))
        .copied()
        .collect();
    marks.clear();
    sources.extend(reach);
    let mut found = silently_before(graph, sources, marks);
    found.sort_unstable();
    found
}
