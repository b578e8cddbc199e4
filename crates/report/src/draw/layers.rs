//! From a graph to layers: every arrow goes from one layer to the next, long ones through
//! waypoints, and each carries its text on a waypoint of its own halfway.
//!
//! This is the first half of the method of Sugiyama, Tagawa and Toda. Nodes lie on even layers,
//! texts on odd ones.

use std::collections::VecDeque;

use super::graph::Graph;

/// More waypoints than this are not laid out: the picture would be of no use.
pub(super) const MOST_ITEMS: usize = 40_000;

/// What lies on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node of the graph.
    Node(usize),
    /// A waypoint of an edge.
    Way(usize),
    /// The waypoint of an edge that bears its text.
    Text(usize),
}

/// A graph in layers.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// What each item is; the first items are the nodes, in order.
    pub items: Vec<Kind>,
    /// The layer of each item.
    pub layer: Vec<usize>,
    /// The items of each layer, from top to bottom.
    pub rows: Vec<Vec<usize>>,
    /// Neighbours on the layer before and on the layer after.
    pub before: Vec<Vec<usize>>,
    pub after: Vec<Vec<usize>>,
    /// The items of each edge from left to right, its two nodes included.
    pub chains: Vec<Vec<usize>>,
}

/// Puts a graph in layers; none when it is too large.
pub(super) fn layers(graph: &Graph) -> Option<Layers> {
    let order = reading_order(graph);
    let ranks = ranks(graph, &order);
    let count = graph.nodes.len();
    let ends = |e: &super::graph::Arc| match order[e.from] < order[e.to] {
        true => (e.from, e.to),
        false => (e.to, e.from),
    };
    let waypoints = graph.edges.iter().map(|e| {
        let (left, right) = ends(e);
        2 * (ranks[right] - ranks[left]) - 1
    });
    if count + waypoints.sum::<usize>() > MOST_ITEMS {
        return None;
    }
    let mut layers = Layers {
        items: (0..count).map(Kind::Node).collect(),
        layer: ranks.iter().map(|r| 2 * r).collect(),
        rows: vec![Vec::new(); 2 * ranks.iter().max().map_or(0, |r| r + 1)],
        before: vec![Vec::new(); count],
        after: vec![Vec::new(); count],
        chains: Vec::with_capacity(graph.edges.len()),
    };
    let mut nodes: Vec<usize> = (0..count).collect();
    nodes.sort_by_key(|n| order[*n]);
    for node in nodes {
        layers.rows[2 * ranks[node]].push(node);
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        let (left, right) = ends(edge);
        layers.chain(number, left, right);
    }
    Some(layers)
}

impl Layers {
    /// Lays the waypoints of an edge between two nodes.
    fn chain(&mut self, edge: usize, left: usize, right: usize) {
        let (from, to) = (self.layer[left], self.layer[right]);
        let middle = ((from + to) / 2 - 1) | 1;
        let mut chain = vec![left];
        for layer in from + 1..to {
            let item = self.items.len();
            self.items.push(match layer == middle {
                true => Kind::Text(edge),
                false => Kind::Way(edge),
            });
            self.layer.push(layer);
            self.rows[layer].push(item);
            self.before.push(Vec::new());
            self.after.push(Vec::new());
            chain.push(item);
        }
        chain.push(right);
        for pair in chain.windows(2) {
            self.after[pair[0]].push(pair[1]);
            self.before[pair[1]].push(pair[0]);
        }
        self.chains.push(chain);
    }
}

/// The place of every node in a breadth-first walk from the start. An arrow is drawn from left to
/// right when it agrees with this order, so what is near the start is near the left.
fn reading_order(graph: &Graph) -> Vec<usize> {
    let mut successors = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        successors[edge.from].push(edge.to);
        if graph.undirected {
            successors[edge.to].push(edge.from);
        }
    }
    if graph.nodes.is_empty() {
        return Vec::new();
    }
    let mut place = vec![usize::MAX; graph.nodes.len()];
    let mut next = 0;
    for root in [graph.start].into_iter().chain(0..graph.nodes.len()) {
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            if place[node] != usize::MAX {
                continue;
            }
            place[node] = next;
            next += 1;
            queue.extend(&successors[node]);
        }
    }
    place
}

/// A column for every node: as far left as its arrows allow, then moved to shorten them.
fn ranks(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let count = graph.nodes.len();
    let (mut ins, mut outs) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for edge in &graph.edges {
        let (left, right) = match order[edge.from] < order[edge.to] {
            true => (edge.from, edge.to),
            false => (edge.to, edge.from),
        };
        outs[left].push(right);
        ins[right].push(left);
    }
    let mut nodes: Vec<usize> = (0..count).collect();
    nodes.sort_by_key(|n| order[*n]);
    let mut rank = vec![0; count];
    for node in &nodes {
        rank[*node] = ins[*node].iter().map(|i| rank[*i] + 1).max().unwrap_or(0);
    }
    for _ in 0..4 {
        for node in nodes.iter().rev() {
            let room = outs[*node].iter().map(|o| rank[*o] - 1).min();
            if let Some(room) = room
                && outs[*node].len() > ins[*node].len()
                && *node != graph.start
            {
                rank[*node] = rank[*node].max(room);
            }
        }
    }
    rank
}

#[cfg(test)]
pub(in crate::draw) mod tests {
    use super::*;
    use crate::draw::graph::{Arc, Lines, Vertex};

    pub fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        let edge = |(from, to): &(usize, usize)| Arc {
            from: *from,
            to: *to,
            label: Lines::wrap(&["a".to_owned()], 3),
        };
        Graph {
            nodes: vec![Vertex::default(); count],
            start: 0,
            undirected: false,
            edges: edges.iter().map(edge).collect(),
        }
    }

    /// Every graph without loops over three nodes.
    #[test]
    fn every_chain_goes_one_layer_at_a_time() {
        let pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
        for mask in 0..1u32 << pairs.len() {
            let chosen = pairs.iter().enumerate();
            let edges: Vec<_> = chosen
                .filter(|(i, _)| mask >> i & 1 == 1)
                .map(|(_, p)| *p)
                .collect();
            let layers = layers(&graph(3, &edges)).unwrap();
            assert_eq!(layers.chains.len(), edges.len());
            for (chain, (from, to)) in layers.chains.iter().zip(&edges) {
                let ends = [chain[0], chain[chain.len() - 1]];
                assert!(ends == [*from, *to] || ends == [*to, *from]);
                let step = |w: &[usize]| layers.layer[w[0]] + 1 == layers.layer[w[1]];
                assert!(chain.windows(2).all(step), "{mask} {chain:?}");
                let texts = chain
                    .iter()
                    .filter(|i| matches!(layers.items[**i], Kind::Text(_)));
                let texts: Vec<_> = texts.map(|i| layers.layer[*i] % 2).collect();
                assert_eq!(texts, [1], "{mask}");
            }
        }
    }

    #[test]
    fn a_picture_of_no_use_is_refused() {
        let edges: Vec<_> = (1..400).flat_map(|i| [(i - 1, i), (i, 0)]).collect();
        assert!(layers(&graph(400, &edges)).is_none());
        assert!(layers(&graph(0, &[])).is_some());
    }
}
