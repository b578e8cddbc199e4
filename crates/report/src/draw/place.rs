//! Coordinates for ordered layers.
//!
//! Each item wants to be level with its neighbours; items of a layer keep their order and
//! distance. For one layer that is a weighted isotonic regression, which pooling solves exactly;
//! sweeping over the layers some times makes the whole settle.

use super::graph::{Graph, Vertex};
use super::layers::{Kind, Layers};

const SWEEPS: usize = 40;
/// Room between items of a layer.
const GAP: f64 = 12.0;
/// Room between layers: the least, the most, and how much more for a line that climbs.
const STEP: (f64, f64, f64) = (28.0, 72.0, 0.2);
/// A loop rises this high above its node.
pub(super) const LOOP: f64 = 22.0;

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The line of every item.
    pub y: Vec<f64>,
    /// Left and right side of every layer.
    pub columns: Vec<(f64, f64)>,
    /// The whole.
    pub width: f64,
    pub height: f64,
}

/// Places everything.
pub(super) fn place(graph: &Graph, layers: &Layers) -> Places {
    let extents: Vec<(f64, f64)> = layers.items.iter().map(|i| extent(graph, *i)).collect();
    let mut y = vec![0.0; layers.items.len()];
    for row in &layers.rows {
        let mut bottom = 0.0;
        for item in row {
            y[*item] = bottom + extents[*item].0;
            bottom = y[*item] + extents[*item].1 + GAP;
        }
    }
    let count = layers.rows.len();
    for sweep in 0..SWEEPS {
        let both = sweep >= SWEEPS / 2;
        for step in 0..count {
            let forward = sweep % 2 == 0;
            let row = if forward { step } else { count - 1 - step };
            settle(
                layers,
                row,
                (both || forward, both || !forward),
                &extents,
                &mut y,
            );
        }
    }
    let top = |i: usize| y[i] - extents[i].0;
    let lowest = (0..y.len()).map(top).fold(f64::INFINITY, f64::min);
    let shift = if lowest.is_finite() { lowest } else { 0.0 };
    y.iter_mut().for_each(|v| *v -= shift);
    let bottom = (0..y.len()).map(|i| y[i] + extents[i].1);
    let height = bottom.fold(0.0, f64::max);
    let columns = columns(graph, layers, &y);
    let width = columns.last().map_or(0.0, |c| c.1);
    Places {
        y,
        columns,
        width,
        height,
    }
}

/// The room an item needs above and below its line.
fn extent(graph: &Graph, item: Kind) -> (f64, f64) {
    match item {
        Kind::Node(node) => {
            let Vertex { height, loops, .. } = &graph.nodes[node];
            let above = loops.as_ref().map_or(0.0, |l| LOOP + l.height() + 2.0);
            (height / 2.0 + above, height / 2.0)
        }
        Kind::Way(_) => (1.0, 1.0),
        Kind::Text(edge) => (graph.edges[edge].label.height() + 4.0, 2.0),
    }
}

/// The width an item needs.
fn width(graph: &Graph, item: Kind) -> f64 {
    match item {
        Kind::Node(node) => {
            let node = &graph.nodes[node];
            let loops = node.loops.as_ref().map_or(0.0, |l| l.width());
            node.width.max(loops)
        }
        Kind::Way(_) => 0.0,
        Kind::Text(edge) => graph.edges[edge].label.width(),
    }
}

fn columns(graph: &Graph, layers: &Layers, y: &[f64]) -> Vec<(f64, f64)> {
    let mut columns = Vec::new();
    let mut left = 0.0;
    for row in &layers.rows {
        if row.is_empty() {
            columns.push((left, left));
            continue;
        }
        let widest = row.iter().map(|i| width(graph, layers.items[*i]));
        let right = left + widest.fold(0.0, f64::max);
        columns.push((left, right));
        let mut climb: f64 = 0.0;
        for item in row {
            for next in &layers.after[*item] {
                climb = climb.max((y[*next] - y[*item]).abs());
            }
        }
        left = right + (STEP.0 + STEP.2 * climb).min(STEP.1);
    }
    columns
}

/// Moves the items of a layer to where the chosen neighbours want them.
fn settle(layers: &Layers, row: usize, sides: (bool, bool), extents: &[(f64, f64)], y: &mut [f64]) {
    let row = &layers.rows[row];
    let mut wishes = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(row.len());
    for (at, item) in row.iter().enumerate() {
        if at > 0 {
            offset += extents[row[at - 1]].1 + GAP + extents[*item].0;
        }
        offsets.push(offset);
        let (mut sum, mut weight) = (0.0, 0.0);
        for (on, near) in [(sides.0, &layers.before), (sides.1, &layers.after)] {
            for other in near[*item].iter().filter(|_| on) {
                let pull = pull(layers, *item, *other);
                sum += pull * y[*other];
                weight += pull;
            }
        }
        match weight > 0.0 {
            true => wishes.push((sum / weight - offset, weight)),
            false => wishes.push((y[*item] - offset, 0.01)),
        }
    }
    for ((item, value), offset) in row.iter().zip(isotonic(&wishes)).zip(offsets) {
        y[*item] = value + offset;
    }
}

/// Long edges should be straight, and the text of an edge level with its node where few meet.
fn pull(layers: &Layers, a: usize, b: usize) -> f64 {
    for node in [a, b] {
        if let Kind::Node(_) = layers.items[node] {
            let degree = layers.before[node].len() + layers.after[node].len();
            return 1.0 + 6.0 / degree.max(1) as f64;
        }
    }
    8.0
}

/// The non-decreasing sequence nearest to the wishes `(value, weight)` in weighted squares, by
/// pooling adjacent violators.
fn isotonic(wishes: &[(f64, f64)]) -> Vec<f64> {
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (value, weight) in wishes {
        let mut block = (*value, *weight, 1);
        while let Some(last) = blocks.last()
            && last.0 > block.0
        {
            let total = last.1 + block.1;
            let mean = (last.0 * last.1 + block.0 * block.1) / total;
            block = (mean, total, last.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let spread = |(value, _, count): (f64, f64, usize)| std::iter::repeat_n(value, count);
    blocks.into_iter().flat_map(spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::layers::{layers, tests::graph};
    use crate::draw::order::order;

    /// The best of all sequences over a grid is no better than pooling.
    #[test]
    fn pooling_is_optimal() {
        let values = [0.0, 1.0, 2.0, 3.0];
        let cost = |xs: &[f64], wishes: &[(f64, f64)]| -> f64 {
            xs.iter()
                .zip(wishes)
                .map(|(x, (d, w))| w * (x - d) * (x - d))
                .sum()
        };
        for code in 0..256usize {
            let digit = |k: usize| values[code / 4usize.pow(k as u32) % 4];
            let wishes: Vec<(f64, f64)> = (0..4)
                .map(|k| (digit(k), 1.0 + digit((k + 1) % 4)))
                .collect();
            let found = isotonic(&wishes);
            assert!(found.windows(2).all(|w| w[0] <= w[1]));
            let own = cost(&found, &wishes);
            for other in 0..13usize.pow(4) {
                let at = |k: u32| (other / 13usize.pow(k) % 13) as f64 / 4.0;
                let xs = [at(0), at(1), at(2), at(3)];
                if xs.windows(2).all(|w| w[0] <= w[1]) {
                    assert!(
                        own <= cost(&xs, &wishes) + 1e-9,
                        "{wishes:?} {found:?} {xs:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn nothing_overlaps() {
        let edges: Vec<_> = (0..40)
            .map(|i| (i * 7 % 13, i * 5 % 11))
            .filter(|(a, b)| a != b)
            .collect();
        let graph = graph(13, &edges);
        let mut layers = layers(&graph).unwrap();
        order(&mut layers);
        let places = place(&graph, &layers);
        for row in &layers.rows {
            for pair in row.windows(2) {
                let (upper, lower) = (pair[0], pair[1]);
                let below = places.y[upper] + extent(&graph, layers.items[upper]).1;
                let above = places.y[lower] - extent(&graph, layers.items[lower]).0;
                assert!(below + GAP <= above + 1e-6);
            }
        }
    }
}
