//! The reachable part of an automaton.

use rustc_hash::FxHashMap;

/// The states that can be reached when each is replaced by `name` of it, in breadth-first order, and their edges, sorted, with the
/// targets numbered in that order.
pub(super) fn reachable<E: Copy + Ord>(
    edges: &[Vec<E>],
    initial: u32,
    name: impl Fn(u32) -> u32,
    target: impl Fn(&mut E) -> &mut u32,
) -> (Vec<u32>, Vec<Vec<E>>) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut order = vec![name(initial)];
    numbers.insert(order[0], 0);
    let mut rows = Vec::new();
    while rows.len() < order.len() {
        let mut row = edges[order[rows.len()] as usize].clone();
        for edge in &mut row {
            let to = target(edge);
            let named = name(*to);
            let next = order.len() as u32;
            *to = *numbers.entry(named).or_insert(next);
            if *to == next {
                order.push(named);
            }
        }
        row.sort_unstable();
        row.dedup();
        rows.push(row);
    }
    (order, rows)
}
