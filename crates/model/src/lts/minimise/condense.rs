//! Strongly connected components of `tau`, each made one node.

use super::graph::{DIVERGES, Graph};
use crate::graph::Components;

/// The graph without `tau` cycles and loops, and the node of every old one. Nodes are numbered so
/// that every `tau` edge leads to a smaller number. The error state has no edges, so it stays
/// alone. If asked to, nodes that had such cycles or loops get a loop with the label [`DIVERGES`].
pub(super) fn condense(graph: &Graph, keeps_divergence: bool) -> (Graph, Vec<u32>) {
    let components = Components::of_lists(graph.nodes, |v| graph.tau.row(v));
    let nodes = components.count();
    let node = components.of;
    let mut diverges = vec![false; nodes];
    if keeps_divergence {
        for (source, own) in node.iter().enumerate() {
            let mut targets = graph.tau.row(source as u32).iter();
            diverges[*own as usize] |= targets.any(|t| node[*t as usize] == *own);
        }
    }
    let diverging = (0..nodes as u32).filter(|n| diverges[*n as usize]);
    let visible = (0..graph.nodes as u32).flat_map(|s| {
        let row = graph.visible.row(s).iter();
        row.map(move |(l, t)| (s, *l, *t))
    });
    let silent =
        (0..graph.nodes as u32).flat_map(|s| graph.tau.row(s).iter().map(move |t| (s, 0, *t)));
    let edges = visible
        .chain(silent)
        .map(|(s, l, t)| (node[s as usize], l, node[t as usize]))
        .filter(|(s, l, t)| *l != 0 || s != t)
        .chain(diverging.map(|n| (n, DIVERGES, n)));
    let error = graph.error.map(|e| node[e as usize]);
    (Graph::from_edges(nodes, error, edges), node)
}
