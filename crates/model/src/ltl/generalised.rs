//! From formulas to automata with acceptance sets of transitions.
//!
//! A state is a set of formulas that must hold from here on (of the very weak alternating automaton of Gastin and Oddoux, CAV
//! 2001, section 4). An edge says what must be true now, and what from the next position on. An `until` is *postponed* by an edge
//! that does not make its right side true; a run is accepting if it postpones no `until` at all but finitely many positions.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::components::reachable;
use super::formula::{Formulas, Id, Node};
use super::{Cube, MAX_ATOMS};

/// The automaton would be too large, or the formula has too many atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// What must be true at this position.
    pub guard: Cube,
    /// The state afterwards.
    pub target: u32,
    /// The acceptance sets that it belongs to, a bit for each.
    pub sets: u128,
}

/// An automaton on infinite words: a run is accepting if it takes edges of every acceptance set infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generalised {
    /// The edges of every state.
    pub edges: Vec<Vec<Edge>>,
    /// Where runs begin.
    pub initial: u32,
    /// How many acceptance sets there are, at most 128.
    pub sets: u32,
}

/// One way to satisfy a formula at a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    guard: Cube,
    /// What must hold from the next position on, sorted.
    next: Vec<Id>,
    /// The `until`s that are postponed.
    postponed: u128,
}

const STATES: usize = 1 << 14;
const WAYS: usize = 1 << 12;
const WORK: usize = 1 << 26;

impl Generalised {
    /// The automaton that accepts the words that satisfy a formula.
    pub fn of(formulas: &Formulas, root: Id) -> Result<Generalised, TooLarge> {
        if formulas.atoms(root) > MAX_ATOMS {
            return Err(TooLarge);
        }
        let untils: Vec<Id> = formulas
            .parts(root)
            .into_iter()
            .filter(|id| matches!(formulas.node(*id), Node::Until(..)))
            .collect();
        if untils.len() > 128 {
            return Err(TooLarge);
        }
        let mut builder = Builder {
            formulas,
            untils,
            ways: FxHashMap::default(),
            work: 0,
        };
        let mut automaton = builder.run(root)?;
        automaton.merge();
        Ok(automaton)
    }

    /// Makes states with the same edges one, until there are none.
    fn merge(&mut self) {
        loop {
            let mut first: FxHashMap<&[Edge], u32> = FxHashMap::default();
            let mut same = Vec::with_capacity(self.edges.len());
            for (number, edges) in (0u32..).zip(&self.edges) {
                same.push(*first.entry(edges).or_insert(number));
            }
            if same.iter().zip(0u32..).all(|(s, n)| *s == n) {
                return;
            }
            self.rename(|state| same[state as usize]);
        }
    }

    /// Gives states other names; what cannot be reached any more is dropped.
    fn rename(&mut self, name: impl Fn(u32) -> u32) {
        let (_, edges) = reachable(&self.edges, self.initial, name, |edge| &mut edge.target);
        self.edges = edges;
        self.initial = 0;
    }
}

struct Builder<'f> {
    formulas: &'f Formulas,
    untils: Vec<Id>,
    ways: FxHashMap<Id, Vec<Way>>,
    work: usize,
}

impl Builder<'_> {
    fn run(&mut self, root: Id) -> Result<Generalised, TooLarge> {
        let start = self.obligations(root);
        let mut numbers: FxHashMap<Vec<Id>, u32> = FxHashMap::default();
        numbers.insert(start.clone(), 0);
        let mut pending = VecDeque::from([start]);
        let mut edges = Vec::new();
        let all = match self.untils.len() {
            128 => u128::MAX,
            n => (1 << n) - 1,
        };
        while let Some(state) = pending.pop_front() {
            let mut row = Vec::new();
            for way in self.ways_of(&state)? {
                let next = numbers.len() as u32;
                let target = *numbers.entry(way.next.clone()).or_insert(next);
                if target == next {
                    pending.push_back(way.next);
                }
                row.push(Edge {
                    guard: way.guard,
                    target,
                    sets: all & !way.postponed,
                });
            }
            row.sort_unstable();
            row.dedup();
            edges.push(row);
            if numbers.len() > STATES {
                return Err(TooLarge);
            }
        }
        Ok(Generalised {
            edges,
            initial: 0,
            sets: self.untils.len() as u32,
        })
    }

    /// A formula as a set of formulas that must all hold.
    fn obligations(&self, id: Id) -> Vec<Id> {
        match self.formulas.node(id) {
            Node::True => Vec::new(),
            Node::And(ids) => ids.to_vec(),
            _ => vec![id],
        }
    }

    /// The ways to satisfy all of these.
    fn ways_of(&mut self, state: &[Id]) -> Result<Vec<Way>, TooLarge> {
        let mut ways = vec![Way::nothing()];
        for id in state {
            let more = self.ways(*id)?;
            ways = self.product(&ways, &more)?;
        }
        for way in &mut ways {
            self.forgive(way)?;
        }
        self.absorb(ways)
    }

    /// An `until` is not postponed after all if the edge happens to satisfy its right side.
    fn forgive(&mut self, way: &mut Way) -> Result<(), TooLarge> {
        for number in 0..self.untils.len() {
            if way.postponed >> number & 1 == 0 {
                continue;
            }
            let Node::Until(_, right) = *self.formulas.node(self.untils[number]) else {
                continue;
            };
            let right = self.ways(right)?;
            let satisfied = right.iter().any(|r| {
                r.guard.covers(way.guard)
                    && is_subset(&r.next, &way.next)
                    && r.postponed & !way.postponed == 0
            });
            if satisfied {
                way.postponed &= !(1 << number);
            }
        }
        Ok(())
    }

    fn ways(&mut self, id: Id) -> Result<Vec<Way>, TooLarge> {
        if let Some(ways) = self.ways.get(&id) {
            return Ok(ways.clone());
        }
        let ways = match self.formulas.node(id).clone() {
            Node::True => vec![Way::nothing()],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => vec![Way {
                guard: Cube::literal(atom, positive),
                ..Way::nothing()
            }],
            Node::And(ids) => {
                let mut ways = vec![Way::nothing()];
                for id in ids {
                    let more = self.ways(id)?;
                    ways = self.product(&ways, &more)?;
                }
                ways
            }
            Node::Or(ids) => {
                let mut ways = Vec::new();
                for id in ids {
                    ways.extend(self.ways(id)?);
                }
                self.absorb(ways)?
            }
            Node::Next(inner) => vec![Way {
                next: self.obligations(inner),
                ..Way::nothing()
            }],
            Node::Until(left, right) => {
                let number = self.untils.binary_search(&id).unwrap_or(0);
                let later = Way {
                    next: vec![id],
                    postponed: 1 << number,
                    ..Way::nothing()
                };
                let left = self.ways(left)?;
                let mut ways = self.product(&left, &[later])?;
                ways.extend(self.ways(right)?);
                self.absorb(ways)?
            }
            Node::Release(left, right) => {
                let later = Way {
                    next: vec![id],
                    ..Way::nothing()
                };
                let mut either = self.ways(left)?;
                either.push(later);
                let right = self.ways(right)?;
                self.product(&right, &either)?
            }
        };
        self.ways.insert(id, ways.clone());
        Ok(ways)
    }

    fn product(&mut self, left: &[Way], right: &[Way]) -> Result<Vec<Way>, TooLarge> {
        if left.len().saturating_mul(right.len()) > 16 * WAYS {
            return Err(TooLarge);
        }
        let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
        let both = |(l, r): (&Way, &Way)| {
            Some(Way {
                guard: l.guard.and(r.guard)?,
                next: union(&l.next, &r.next),
                postponed: l.postponed | r.postponed,
            })
        };
        self.absorb(pairs.filter_map(both).collect())
    }

    /// Drops ways that ask for more than another.
    fn absorb(&mut self, mut ways: Vec<Way>) -> Result<Vec<Way>, TooLarge> {
        ways.sort_unstable();
        ways.dedup();
        self.work += 1 + ways.len() * ways.len();
        if ways.len() > WAYS || self.work > WORK {
            return Err(TooLarge);
        }
        let asks_less = |a: &Way, b: &Way| {
            a.guard.covers(b.guard)
                && a.postponed & !b.postponed == 0
                && is_subset(&a.next, &b.next)
        };
        let is_kept = |way: &&Way| !ways.iter().any(|o| o != *way && asks_less(o, way));
        Ok(ways.iter().filter(is_kept).cloned().collect())
    }
}

impl Way {
    fn nothing() -> Way {
        Way {
            guard: Cube::TRUE,
            next: Vec::new(),
            postponed: 0,
        }
    }
}

/// Of sorted lists.
fn union(a: &[Id], b: &[Id]) -> Vec<Id> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Of sorted lists.
fn is_subset(a: &[Id], b: &[Id]) -> bool {
    a.iter().all(|id| b.binary_search(id).is_ok())
}
