//! Strongly connected components of `tau`, each made one node.

use super::graph::{DIVERGES, Graph};

const UNSEEN: u32 = u32::MAX;

/// The graph without `tau` cycles and loops, and the node of every old one. Nodes are numbered so
/// that every `tau` edge leads to a smaller number. The error state has no edges, so it stays
/// alone. If asked to, nodes that had such cycles or loops get a loop with the label [`DIVERGES`].
pub(super) fn condense(graph: &Graph, keeps_divergence: bool) -> (Graph, Vec<u32>) {
    let (node, nodes) = components(graph);
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

/// Tarjan's algorithm without recursion: components come out successors first.
fn components(graph: &Graph) -> (Vec<u32>, usize) {
    let n = graph.nodes;
    let mut index = vec![UNSEEN; n];
    let mut low = vec![0u32; n];
    let mut component = vec![UNSEEN; n];
    let (mut next_index, mut next_component) = (0u32, 0u32);
    let mut open: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    for root in 0..n as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((v, edge)) = calls.pop() {
            if edge == 0 {
                index[v as usize] = next_index;
                low[v as usize] = next_index;
                next_index += 1;
                open.push(v);
            }
            if let Some(w) = graph.tau.row(v).get(edge as usize) {
                calls.push((v, edge + 1));
                if index[*w as usize] == UNSEEN {
                    calls.push((*w, 0));
                } else if component[*w as usize] == UNSEEN {
                    low[v as usize] = low[v as usize].min(index[*w as usize]);
                }
                continue;
            }
            if low[v as usize] == index[v as usize] {
                while let Some(w) = open.pop() {
                    component[w as usize] = next_component;
                    if w == v {
                        break;
                    }
                }
                next_component += 1;
            }
            if let Some((parent, _)) = calls.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[v as usize]);
            }
        }
    }
    (component, next_component as usize)
}
