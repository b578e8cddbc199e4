//! The order of items within each layer: few crossings.
//!
//! Barycentre sweeps, then exchanges of neighbours, keeping the best order seen. Ties keep the
//! order there was, so the result depends on nothing but the graph.

use super::layers::Layers;

const SWEEPS: usize = 24;
/// Exchanges are tried on graphs of at most this many items.
const EXCHANGED: usize = 4_000;

/// Orders the rows.
pub(super) fn order(layers: &mut Layers) {
    let mut position = positions(layers);
    let mut best = (crossings(layers, &position), layers.rows.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let rows = layers.rows.len();
        for step in 0..rows {
            let forward = sweep % 2 == 0;
            let row = if forward { step } else { rows - 1 - step };
            by_barycentre(layers, row, forward, &mut position);
        }
        if layers.items.len() <= EXCHANGED {
            exchange(layers, &mut position);
        }
        let now = crossings(layers, &position);
        if now < best.0 {
            best = (now, layers.rows.clone());
        }
    }
    layers.rows = best.1;
}

fn positions(layers: &Layers) -> Vec<usize> {
    let mut position = vec![0; layers.items.len()];
    for row in &layers.rows {
        for (at, item) in row.iter().enumerate() {
            position[*item] = at;
        }
    }
    position
}

fn by_barycentre(layers: &mut Layers, row: usize, forward: bool, position: &mut [usize]) {
    let neighbours = if forward {
        &layers.before
    } else {
        &layers.after
    };
    let mut keyed: Vec<(f64, usize)> = layers.rows[row]
        .iter()
        .map(|item| {
            let near = &neighbours[*item];
            let sum: usize = near.iter().map(|n| position[*n]).sum();
            let key = match near.len() {
                0 => position[*item] as f64,
                many => sum as f64 / many as f64,
            };
            (key, *item)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (at, (_, item)) in keyed.iter().enumerate() {
        position[*item] = at;
        layers.rows[row][at] = *item;
    }
}

/// Exchanges neighbours while that removes crossings.
fn exchange(layers: &mut Layers, position: &mut [usize]) {
    for _ in 0..4 {
        let mut better = false;
        for row in 0..layers.rows.len() {
            for at in 1..layers.rows[row].len() {
                let (upper, lower) = (layers.rows[row][at - 1], layers.rows[row][at]);
                let (kept, swapped) = pair_crossings(layers, position, upper, lower);
                if swapped < kept {
                    layers.rows[row].swap(at - 1, at);
                    position[upper] = at;
                    position[lower] = at - 1;
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// Crossings among the edges of two neighbours as they are, and exchanged.
fn pair_crossings(
    layers: &Layers,
    position: &[usize],
    upper: usize,
    lower: usize,
) -> (usize, usize) {
    let (mut kept, mut swapped) = (0, 0);
    for near in [&layers.before, &layers.after] {
        for a in &near[upper] {
            for b in &near[lower] {
                kept += usize::from(position[*a] > position[*b]);
                swapped += usize::from(position[*a] < position[*b]);
            }
        }
    }
    (kept, swapped)
}

/// Crossings in all, by counting inversions with a Fenwick tree.
fn crossings(layers: &Layers, position: &[usize]) -> u64 {
    let mut total = 0;
    for (at, row) in layers.rows.iter().enumerate().skip(1) {
        let mut tree = vec![0u64; layers.rows[at - 1].len() + 1];
        let mut seen = 0;
        for item in row {
            let mut ends: Vec<usize> = layers.before[*item].iter().map(|b| position[*b]).collect();
            ends.sort_unstable();
            for end in &ends {
                total += seen - prefix(&tree, end + 1);
            }
            for end in ends {
                seen += 1;
                add(&mut tree, end + 1);
            }
        }
    }
    total
}

fn prefix(tree: &[u64], mut at: usize) -> u64 {
    let mut sum = 0;
    while at > 0 {
        sum += tree[at];
        at &= at - 1;
    }
    sum
}

fn add(tree: &mut [u64], mut at: usize) {
    while at < tree.len() {
        tree[at] += 1;
        at += at & at.wrapping_neg();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::layers::{layers, tests::graph};

    fn naive(layers: &Layers, position: &[usize]) -> u64 {
        let mut total = 0;
        for row in layers.rows.iter().skip(1) {
            let lines: Vec<(usize, usize)> = row
                .iter()
                .flat_map(|i| {
                    layers.before[*i]
                        .iter()
                        .map(|b| (position[*b], position[*i]))
                })
                .collect();
            for (k, a) in lines.iter().enumerate() {
                for b in &lines[..k] {
                    total += u64::from((a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1));
                }
            }
        }
        total
    }

    #[test]
    fn crossings_are_counted_right_and_ordering_never_adds_any() {
        let mut seed = 7u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        let mut reduced = 0;
        for case in 0..200 {
            let count = 2 + random(9);
            let mut edges: Vec<_> = (0..random(20))
                .map(|_| (random(count), random(count)))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            edges.retain(|(a, b)| a != b);
            let mut layers = layers(&graph(count, &edges)).unwrap();
            let position = positions(&layers);
            let before = crossings(&layers, &position);
            assert_eq!(before, naive(&layers, &position), "case {case}: {edges:?}");
            order(&mut layers);
            let position = positions(&layers);
            let after = crossings(&layers, &position);
            assert_eq!(after, naive(&layers, &position), "case {case}: {edges:?}");
            assert!(after <= before);
            reduced += usize::from(after < before);
        }
        assert!(reduced > 50);
    }
}
