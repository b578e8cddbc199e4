//! From formulas to automata with acceptance sets of transitions.
//!
//! A state is a set of formulas that must hold from here on (of the very weak alternating automaton of Gastin and Oddoux, CAV
//! 2001, section 4). An edge says what must be true now, and what from the next position on. An `until` is *postponed* by an edge
//! that does not make its right side true; a run is accepting if it postpones no `until` at all but finitely many positions.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::formula::{Formulas, Id, Node};
use super::reachable::reachable;
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
    /// The initial state.
    pub initial: u32,
    /// How many acceptance sets there are, at most 128.
    pub sets: u32,
}

/// A cover: one way to satisfy a formula at a position (the term of Gastin and Oddoux, CAV 2001).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cover {
    guard: Cube,
    /// What must hold from the next position on, sorted.
    next: Vec<Id>,
    /// The `until`s that are postponed.
    postponed: u128,
}

const STATES: usize = 1 << 14;
const COVERS: usize = 1 << 12;
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
            covers: FxHashMap::default(),
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
    covers: FxHashMap<Id, Vec<Cover>>,
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
            for cover in self.covers_of(&state)? {
                let next = numbers.len() as u32;
                let target = *numbers.entry(cover.next.clone()).or_insert(next);
                if target == next {
                    pending.push_back(cover.next);
                }
                row.push(Edge {
                    guard: cover.guard,
                    target,
                    sets: all & !cover.postponed,
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

    /// The covers of all of these together.
    fn covers_of(&mut self, state: &[Id]) -> Result<Vec<Cover>, TooLarge> {
        let mut covers = vec![Cover::nothing()];
        for id in state {
            let more = self.covers(*id)?;
            covers = self.product(&covers, &more)?;
        }
        for cover in &mut covers {
            self.forgive(cover)?;
        }
        self.absorb(covers)
    }

    /// An `until` is not postponed after all if the edge happens to satisfy its right side.
    fn forgive(&mut self, cover: &mut Cover) -> Result<(), TooLarge> {
        for number in 0..self.untils.len() {
            if cover.postponed >> number & 1 == 0 {
                continue;
            }
            let Node::Until(_, right) = *self.formulas.node(self.untils[number]) else {
                continue;
            };
            let right = self.covers(right)?;
            let satisfied = right.iter().any(|r| {
                r.guard.covers(cover.guard)
                    && is_subset(&r.next, &cover.next)
                    && r.postponed & !cover.postponed == 0
            });
            if satisfied {
                cover.postponed &= !(1 << number);
            }
        }
        Ok(())
    }

    fn covers(&mut self, id: Id) -> Result<Vec<Cover>, TooLarge> {
        if let Some(covers) = self.covers.get(&id) {
            return Ok(covers.clone());
        }
        let covers = match self.formulas.node(id).clone() {
            Node::True => vec![Cover::nothing()],
            Node::False => Vec::new(),
            Node::Literal(atom, positive) => vec![Cover {
                guard: Cube::literal(atom, positive),
                ..Cover::nothing()
            }],
            Node::And(ids) => {
                let mut covers = vec![Cover::nothing()];
                for id in ids {
                    let more = self.covers(id)?;
                    covers = self.product(&covers, &more)?;
                }
                covers
            }
            Node::Or(ids) => {
                let mut covers = Vec::new();
                for id in ids {
                    covers.extend(self.covers(id)?);
                }
                self.absorb(covers)?
            }
            Node::Next(inner) => vec![Cover {
                next: self.obligations(inner),
                ..Cover::nothing()
            }],
            Node::Until(left, right) => {
                let number = self.untils.binary_search(&id).unwrap_or(0);
                let later = Cover {
                    next: vec![id],
                    postponed: 1 << number,
                    ..Cover::nothing()
                };
                let left = self.covers(left)?;
                let mut covers = self.product(&left, &[later])?;
                covers.extend(self.covers(right)?);
                self.absorb(covers)?
            }
            Node::Release(left, right) => {
                let later = Cover {
                    next: vec![id],
                    ..Cover::nothing()
                };
                let mut either = self.covers(left)?;
                either.push(later);
                let right = self.covers(right)?;
                self.product(&right, &either)?
            }
        };
        self.covers.insert(id, covers.clone());
        Ok(covers)
    }

    fn product(&mut self, left: &[Cover], right: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
        if left.len().saturating_mul(right.len()) > 16 * COVERS {
            return Err(TooLarge);
        }
        let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
        let both = |(l, r): (&Cover, &Cover)| {
            Some(Cover {
                guard: l.guard.and(r.guard)?,
                next: union(&l.next, &r.next),
                postponed: l.postponed | r.postponed,
            })
        };
        self.absorb(pairs.filter_map(both).collect())
    }

    /// Drops covers that ask for more than another.
    fn absorb(&mut self, mut covers: Vec<Cover>) -> Result<Vec<Cover>, TooLarge> {
        covers.sort_unstable();
        covers.dedup();
        self.work += 1 + covers.len() * covers.len();
        if covers.len() > COVERS || self.work > WORK {
            return Err(TooLarge);
        }
        let asks_less = |a: &Cover, b: &Cover| {
            a.guard.covers(b.guard)
                && a.postponed & !b.postponed == 0
                && is_subset(&a.next, &b.next)
        };
        let is_kept = |cover: &&Cover| !covers.iter().any(|o| o != *cover && asks_less(o, cover));
        Ok(covers.iter().filter(is_kept).cloned().collect())
    }
}

impl Cover {
    fn nothing() -> Cover {
        Cover {
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
