//! Büchi automata: one acceptance set, of states.

use rustc_hash::FxHashMap;

use super::formula::{Formulas, Id};
use super::generalised::{Edge, Generalised, TooLarge};
use super::reachable::reachable;
use super::{Cube, simulation};
use crate::graph::Components;

/// A Büchi automaton: a run is accepting if it is in accepting states infinitely often. All states can be reached, and
/// from each an accepting run begins, except that an automaton that accepts nothing has one state without edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The edges of every state: what must be true at a position, and the state at the next.
    pub edges: Vec<Vec<(Cube, u32)>>,
    /// The initial state.
    pub initial: u32,
    /// Which states are accepting.
    pub accepting: Vec<bool>,
}

impl Buchi {
    /// A small automaton that accepts the words that satisfy a formula.
    pub fn of(formulas: &Formulas, root: Id) -> Result<Buchi, TooLarge> {
        let generalised = Generalised::of(formulas, root)?;
        let buchi = Buchi::degeneralised(&generalised);
        let tried = (0..generalised.sets.min(4)).map(|by| {
            let turned = rotated(&generalised, by);
            Buchi::degeneralised(&turned)
        });
        // The order of the acceptance sets makes a difference; the smallest result is taken.
        let small = tried.map(Buchi::reduced).min_by_key(Buchi::size);
        Ok(small.unwrap_or_else(|| buchi.reduced()))
    }

    /// A small automaton that accepts the same words.
    pub fn small(automaton: &Generalised) -> Buchi {
        let levels = Buchi::degeneralised(automaton).reduced();
        match Buchi::of_states(automaton) {
            // On a tie the states stay those that were given.
            Some(states) => std::cmp::min_by_key(states.reduced(), levels, Buchi::size),
            None => levels,
        }
    }

    /// The same states, if there is one acceptance set and the edges of each state are all in it or all not.
    fn of_states(automaton: &Generalised) -> Option<Buchi> {
        let mut accepting = Vec::new();
        for row in &automaton.edges {
            let is_in = row.first().is_some_and(|edge| edge.sets & 1 == 1);
            if automaton.sets != 1 || row.iter().any(|edge| (edge.sets & 1 == 1) != is_in) {
                return None;
            }
            accepting.push(is_in);
        }
        let plain = |row: &Vec<Edge>| row.iter().map(|edge| (edge.guard, edge.target)).collect();
        Some(Buchi {
            edges: automaton.edges.iter().map(plain).collect(),
            initial: automaton.initial,
            accepting,
        })
    }

    /// From many acceptance sets to one: a state also knows which set is waited for.
    pub fn degeneralised(automaton: &Generalised) -> Buchi {
        let sets = automaton.sets;
        let components = Components::of_edges(automaton.edges.len(), |state, edge| {
            automaton.edges[state as usize]
                .iter()
                .rev()
                .nth(edge)
                .map(|e| e.target)
        });
        let same = |a: u32, b: u32| components.of[a as usize] == components.of[b as usize];
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut order = vec![(automaton.initial, 0)];
        numbers.insert(order[0], 0);
        let mut edges: Vec<Vec<(Cube, u32)>> = Vec::new();
        while edges.len() < order.len() {
            let (state, level) = order[edges.len()];
            let mut row = Vec::new();
            for edge in &automaton.edges[state as usize] {
                // Between components nothing is waited for yet.
                let level = match same(state, edge.target) {
                    true => advance(level, edge, sets),
                    false => 0,
                };
                let next = order.len() as u32;
                let target = *numbers.entry((edge.target, level)).or_insert(next);
                if target == next {
                    order.push((edge.target, level));
                }
                row.push((edge.guard, target));
            }
            row.sort_unstable();
            row.dedup();
            edges.push(row);
        }
        Buchi {
            edges,
            initial: 0,
            accepting: order.iter().map(|(_, level)| *level == sets).collect(),
        }
    }

    /// States and edges.
    pub fn size(&self) -> (usize, usize) {
        (self.edges.len(), self.edges.iter().map(Vec::len).sum())
    }

    /// The same language with fewer states and edges: without states that lead to no accepting cycle, with one state for all that
    /// simulate each other, and without edges that another one makes superfluous.
    pub fn reduced(mut self) -> Buchi {
        loop {
            let size = self.size();
            self = self.pruned();
            self = simulation::reduced(self);
            self = self.pruned();
            if self.size() == size {
                return self;
            }
        }
    }

    pub(super) fn components(&self) -> Components {
        Components::of_edges(self.edges.len(), |state, edge| {
            self.edges[state as usize]
                .iter()
                .rev()
                .nth(edge)
                .map(|e| e.1)
        })
    }

    /// For every state, whether it is on a cycle.
    pub(super) fn on_cycle(&self) -> Vec<bool> {
        let components = self.components();
        let mut cyclic = vec![false; components.count()];
        for (state, edges) in self.edges.iter().enumerate() {
            let own = components.of[state];
            if edges.iter().any(|e| components.of[e.1 as usize] == own) {
                cyclic[own as usize] = true;
            }
        }
        components.of.iter().map(|c| cyclic[*c as usize]).collect()
    }

    /// Drops what is not reached or leads to no accepting cycle. States on no cycle are not accepting.
    fn pruned(self) -> Buchi {
        let components = self.components();
        let on_cycle = self.on_cycle();
        let accepting: Vec<bool> = (0..self.edges.len())
            .map(|s| self.accepting[s] && on_cycle[s])
            .collect();
        let mut good = vec![false; components.count()];
        for (state, accepting) in accepting.iter().enumerate() {
            good[components.of[state] as usize] |= *accepting;
        }
        // Numbers fall along edges, so one pass from the lowest is enough.
        let mut order: Vec<u32> = (0..self.edges.len() as u32).collect();
        order.sort_by_key(|s| components.of[*s as usize]);
        for state in order {
            let leads = |e: &(Cube, u32)| good[components.of[e.1 as usize] as usize];
            if self.edges[state as usize].iter().any(leads) {
                good[components.of[state as usize] as usize] = true;
            }
        }
        let is_good = |s: u32| good[components.of[s as usize] as usize];
        if !is_good(self.initial) {
            return Buchi {
                edges: vec![Vec::new()],
                initial: 0,
                accepting: vec![false],
            };
        }
        let rows = self.edges.iter().map(|row| {
            let kept = row.iter().filter(|e| is_good(e.1));
            kept.copied().collect()
        });
        let all = Buchi {
            edges: rows.collect(),
            initial: self.initial,
            accepting,
        };
        all.renamed(|state| state)
    }

    /// Gives states other names; what cannot be reached any more is dropped.
    pub(super) fn renamed(&self, name: impl Fn(u32) -> u32) -> Buchi {
        let (order, edges) = reachable(&self.edges, self.initial, name, |edge| &mut edge.1);
        let edges = edges.into_iter().map(absorbed).collect();
        let accepting = order.iter().map(|s| self.accepting[*s as usize]);
        Buchi {
            edges,
            initial: 0,
            accepting: accepting.collect(),
        }
    }
}

/// Drops edges to the same state with a stronger guard, and joins two that differ in one literal.
fn absorbed(mut row: Vec<(Cube, u32)>) -> Vec<(Cube, u32)> {
    loop {
        let covered = |(guard, target): &(Cube, u32)| {
            let mut others = row.iter();
            others.any(|(g, t)| t == target && g != guard && g.covers(*guard))
        };
        let mut kept: Vec<(Cube, u32)> = row.iter().filter(|e| !covered(e)).copied().collect();
        match joined(&kept) {
            None => return kept,
            Some((a, b, guard)) => {
                let target = kept[a].1;
                kept.swap_remove(b);
                kept[a] = (guard, target);
                kept.sort_unstable();
                kept.dedup();
                row = kept;
            }
        }
    }
}

/// Two edges `a < b` to one state whose guards differ in the sign of one literal, and what they say together.
fn joined(row: &[(Cube, u32)]) -> Option<(usize, usize, Cube)> {
    for (b, (right, target)) in row.iter().enumerate() {
        for (a, (left, _)) in row[..b].iter().enumerate().filter(|(_, e)| e.1 == *target) {
            let flipped = left.positive ^ right.positive;
            let is_one = flipped.count_ones() == 1;
            if is_one && flipped == left.negative ^ right.negative {
                let guard = Cube {
                    positive: left.positive & right.positive,
                    negative: left.negative & right.negative,
                };
                return Some((a, b, guard));
            }
        }
    }
    None
}

/// The set that is waited for after an edge; all have been there when it is the number of sets.
fn advance(level: u32, edge: &Edge, sets: u32) -> u32 {
    let mut level = if level == sets { 0 } else { level };
    while level < sets && edge.sets >> level & 1 == 1 {
        level += 1;
    }
    level
}

/// The same automaton with its acceptance sets in another order.
fn rotated(automaton: &Generalised, by: u32) -> Generalised {
    let mut turned = automaton.clone();
    for edge in turned.edges.iter_mut().flatten() {
        let sets = (0..automaton.sets).filter(|s| edge.sets >> s & 1 == 1);
        let moved = sets.map(|s| 1u128 << ((s + by) % automaton.sets));
        edge.sets = moved.fold(0, |all, one| all | one);
    }
    turned
}
