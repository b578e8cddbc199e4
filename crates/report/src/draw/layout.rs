//! From a graph to shapes with coordinates.

use super::graph::Graph;
use super::layers::{Kind, Layers, layers};
use super::order::order;
use super::place::{Places, place};

/// Ends of arrows at a node are this far apart.
const PORT: f64 = 8.0;
/// An arrow is level this long before its tip.
const STUB: f64 = 9.0;
/// A layer wider than this is crossed by level lines.
const WIDE: f64 = 40.0;

/// A laid-out graph.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The middle of every node.
    pub nodes: Vec<(f64, f64)>,
    /// The height of every node: as asked for, or more to make room for its arrows.
    pub heights: Vec<f64>,
    /// The course of every edge, in the order of the graph's.
    pub routes: Vec<Route>,
    pub width: f64,
    pub height: f64,
}

/// The course of an edge.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Its points from where it comes to where it goes.
    pub points: Vec<(f64, f64)>,
    /// Where its text is: the middle of the lower side.
    pub text: (f64, f64),
}

/// Lays a graph out; none when it is too large.
pub(super) fn layout(graph: &Graph) -> Option<Layout> {
    let mut layers = layers(graph)?;
    order(&mut layers);
    let mut graph = graph.clone();
    for (number, node) in graph.nodes.iter_mut().enumerate() {
        let ends = layers.before[number].len().max(layers.after[number].len());
        node.height = node.height.max((ends as f64 - 1.0) * PORT + 14.0);
    }
    let places = place(&graph, &layers);
    let ports = Ports::new(&layers, &places);
    let middle = |item: usize| {
        let (left, right) = places.columns[layers.layer[item]];
        ((left + right) / 2.0, places.y[item])
    };
    let routes = (0..graph.edges.len())
        .map(|edge| route(&graph, &layers, &places, &ports, edge))
        .collect();
    Some(Layout {
        nodes: (0..graph.nodes.len()).map(middle).collect(),
        heights: graph.nodes.iter().map(|n| n.height).collect(),
        routes,
        width: places.width,
        height: places.height,
    })
}

/// How far above or below the middle of its node each end of each chain is: (left end, right end).
struct Ports(Vec<(f64, f64)>);

impl Ports {
    /// Ends are ordered by the height of what is next on the chain, so that they do not cross.
    fn new(layers: &Layers, places: &Places) -> Ports {
        let count = layers.before.len();
        let (mut leaving, mut entering) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (edge, chain) in layers.chains.iter().enumerate() {
            let last = chain.len() - 1;
            leaving[chain[0]].push((places.y[chain[1]], edge));
            entering[chain[last]].push((places.y[chain[last - 1]], edge));
        }
        let mut ports = vec![(0.0, 0.0); layers.chains.len()];
        for (ends, left) in [(&mut leaving, true), (&mut entering, false)] {
            for ends in ends.iter_mut() {
                ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                for (at, (_, edge)) in ends.iter().enumerate() {
                    let offset = (at as f64 - (ends.len() as f64 - 1.0) / 2.0) * PORT;
                    match left {
                        true => ports[*edge].0 = offset,
                        false => ports[*edge].1 = offset,
                    }
                }
            }
        }
        Ports(ports)
    }
}

fn route(graph: &Graph, layers: &Layers, places: &Places, ports: &Ports, edge: usize) -> Route {
    let chain = &layers.chains[edge];
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let mut points = vec![border(graph, layers, places, first, ports.0[edge].0, 1.0)];
    let mut text = (0.0, 0.0);
    for item in &chain[1..chain.len() - 1] {
        let (left, right) = places.columns[layers.layer[*item]];
        let y = places.y[*item];
        let middle = (left + right) / 2.0;
        if let Kind::Text(_) = layers.items[*item] {
            text = (middle, y - 3.0);
        }
        match right - left > WIDE {
            true => points.extend([(left, y), (right, y)]),
            false => points.push((middle, y)),
        }
    }
    points.push(border(graph, layers, places, last, ports.0[edge].1, -1.0));
    if graph.edges[edge].from != first {
        points.reverse();
    }
    let (x, y) = points[points.len() - 1];
    let forward = points[0].0 < x;
    points.insert(
        points.len() - 1,
        (if forward { x - STUB } else { x + STUB }, y),
    );
    Route { points, text }
}

/// The point on the rounded side of a node at that distance from its middle line.
fn border(
    graph: &Graph,
    layers: &Layers,
    places: &Places,
    node: usize,
    offset: f64,
    side: f64,
) -> (f64, f64) {
    let (left, right) = places.columns[layers.layer[node]];
    let shape = &graph.nodes[node];
    let radius = radius(shape.width, shape.height);
    let straight = shape.height / 2.0 - radius;
    let round = (offset.abs() - straight).clamp(0.0, radius);
    let inset = radius - (radius * radius - round * round).max(0.0).sqrt();
    let x = (left + right) / 2.0 + side * (shape.width / 2.0 - inset);
    (x, places.y[node] + offset)
}

/// The radius of a node's corners.
pub(super) fn radius(width: f64, height: f64) -> f64 {
    (width.min(height) / 2.0).min(16.0)
}

/// A smooth path through points whose abscissae only grow or only shrink: a monotone cubic
/// (Fritsch and Carlson), level at both ends, so it never leaves the band between two points.
pub(super) fn path(points: &[(f64, f64)]) -> String {
    let count = points.len();
    let slope = |i: usize| {
        let (a, b) = (points[i], points[i + 1]);
        let run = b.0 - a.0;
        if run.abs() < 1e-9 {
            0.0
        } else {
            (b.1 - a.1) / run
        }
    };
    let tangent = |i: usize| {
        if i == 0 || i + 1 >= count {
            return 0.0;
        }
        let (before, after) = (slope(i - 1), slope(i));
        match before * after > 0.0 {
            true => 2.0 * before * after / (before + after),
            false => 0.0,
        }
    };
    let mut out = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        if i == 0 {
            out = format!("M{x:.1} {y:.1}");
            continue;
        }
        let (px, py) = points[i - 1];
        let third = (x - px) / 2.2;
        let (ay, by) = (py + tangent(i - 1) * third, y - tangent(i) * third);
        let (ax, bx) = (px + third, x - third);
        out.push_str(&format!("C{ax:.1} {ay:.1} {bx:.1} {by:.1} {x:.1} {y:.1}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::layers::tests::graph;

    #[test]
    fn arrows_end_at_their_nodes_and_never_turn_back() {
        let edges: Vec<_> = (0..60)
            .map(|i| (i * 7 % 17, i * i % 13))
            .filter(|(a, b)| a != b)
            .collect();
        let mut graph = graph(17, &edges);
        for node in &mut graph.nodes {
            (node.width, node.height) = (30.0, 30.0);
        }
        let layout = layout(&graph).unwrap();
        for (edge, route) in graph.edges.iter().zip(&layout.routes) {
            let (from, to) = (layout.nodes[edge.from], layout.nodes[edge.to]);
            let (first, last) = (route.points[0], route.points[route.points.len() - 1]);
            assert!((first.0 - from.0).abs() <= 15.0 && (last.0 - to.0).abs() <= 15.0);
            let reach = |node: usize| layout.heights[node] / 2.0;
            assert!((first.1 - from.1).abs() <= reach(edge.from));
            assert!((last.1 - to.1).abs() <= reach(edge.to));
            let forward = first.0 < last.0;
            assert!(
                route
                    .points
                    .windows(2)
                    .all(|w| (w[0].0 <= w[1].0) == forward || w[0].0 == w[1].0)
            );
        }
    }

    #[test]
    fn empty_and_single() {
        assert!(layout(&graph(0, &[])).is_some());
        let one = layout(&graph(1, &[])).unwrap();
        assert_eq!(one.nodes.len(), 1);
    }
}
