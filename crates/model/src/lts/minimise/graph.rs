//! What refinement works on: edges in both directions, `tau` apart from the rest.

use crate::lts::{Label, Lts};

/// The label of the loop that marks the end, different from every real one.
const END_MARK: u32 = u32::MAX;
/// The label of the loop that marks divergent states, different from every real label.
pub(super) const DIVERGES: u32 = u32::MAX - 1;

/// Adjacency in compressed rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Ord> Rows<T> {
    /// Groups (row, item) pairs; rows are sorted and without duplicates.
    pub(super) fn new(rows: usize, mut pairs: Vec<(u32, T)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in &pairs {
            starts[*row as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let items = pairs.into_iter().map(|p| p.1).collect();
        Rows { starts, items }
    }

    pub(super) fn row(&self, row: u32) -> &[T] {
        let row = row as usize;
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// An LTS as partition refinement sees it. The end state has a self-loop with a reserved label.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: usize,
    pub(super) error: Option<u32>,
    /// (label, target), never `tau`.
    pub(super) visible: Rows<(u32, u32)>,
    /// Targets.
    pub(super) tau: Rows<u32>,
    /// Sources of visible edges.
    pub(super) visible_back: Rows<u32>,
    /// Sources of `tau` edges.
    pub(super) tau_back: Rows<u32>,
}

impl Graph {
    pub(super) fn new(lts: &Lts) -> Self {
        let edges = lts.all_edges().map(|(s, l, t)| (s, l.0, t));
        let mark = lts.end().map(|end| (end, END_MARK, end));
        Graph::from_edges(lts.states(), lts.error(), edges.chain(mark))
    }

    pub(super) fn from_edges(
        nodes: usize,
        error: Option<u32>,
        edges: impl Iterator<Item = (u32, u32, u32)>,
    ) -> Self {
        let (mut visible, mut tau) = (Vec::new(), Vec::new());
        for (source, label, target) in edges {
            if label == Label::TAU.0 {
                tau.push((source, target));
            } else {
                visible.push((source, (label, target)));
            }
        }
        let visible_back = visible.iter().map(|(s, (_, t))| (*t, *s)).collect();
        let tau_back = tau.iter().map(|(s, t)| (*t, *s)).collect();
        Graph {
            nodes,
            error,
            visible: Rows::new(nodes, visible),
            tau: Rows::new(nodes, tau),
            visible_back: Rows::new(nodes, visible_back),
            tau_back: Rows::new(nodes, tau_back),
        }
    }
}
