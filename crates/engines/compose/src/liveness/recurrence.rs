//! What is true again and again, and what from some time on, in a terminal set.
//!
//! An until-formula is true again and again if some path in the set makes it true, where release-formulas inside it count as
//! true if they are from some time on true for ever. A release-formula is true from some time on if no path in the set
//! makes it false, where until-formulas inside it count as false if they are not true again and again. So one is found after the other,
//! from the inside out. Then the claim is true of almost all runs that come to the set, or of almost none, and which it is can be asked of any
//! state of it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::lts::Temporal;
use suppose_model::{Passage, RecurrentSet, Visit};

use super::graph::{Edge, Failed, Graph};
use super::letters::Letters;
use super::residual::{FALSE, Reading, Residuals, TRUE};

/// What a terminal set means for the claim.
pub(super) enum Decided {
    /// True of almost all runs. Vectors are states of the graph, residuals have their own numbers.
    Holds(RecurrentSet),
    /// True of almost none; with the steps of the walk, which ends at home.
    Violated(RecurrentSet, Vec<Edge>),
}

/// A path that decides a formula.
#[derive(Clone, Debug)]
struct Path {
    start: u32,
    edges: Vec<Edge>,
}

/// What a search found.
enum Search {
    /// A path to the goal.
    Path(Path),
    /// None: all pairs of a state and what is left there.
    Closed(Vec<(u32, u32)>),
}

pub(super) struct Recurrence<'r, 'f> {
    graph: &'r Graph,
    states: &'r [u32],
    letters: &'r mut Letters,
    residuals: &'r mut Residuals<'f>,
    cx: &'r Context,
    /// For every formula, whether it is true again and again (until-formulas), or from some time on (release-formulas).
    again: Vec<bool>,
    forever: Vec<bool>,
    /// Why: paths and pairs, by formula.
    paths: FxHashMap<u32, Path>,
    pairs: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl<'r, 'f> Recurrence<'r, 'f> {
    pub fn new(
        graph: &'r Graph,
        states: &'r [u32],
        letters: &'r mut Letters,
        residuals: &'r mut Residuals<'f>,
        cx: &'r Context,
    ) -> Self {
        let nodes = residuals.nodes().len();
        Recurrence {
            graph,
            states,
            letters,
            residuals,
            cx,
            again: vec![false; nodes],
            forever: vec![false; nodes],
            paths: FxHashMap::default(),
            pairs: FxHashMap::default(),
        }
    }

    pub fn decide(mut self) -> Result<Decided, Failed> {
        let home = self.states[0];
        let left = self.graph.left(home);
        let mut inside: Vec<u32> = self.residuals.get(left).concat();
        inside.sort_unstable();
        inside.dedup();
        let relevant = self.below(&inside);
        for node in relevant {
            self.settle(node)?;
        }
        let again = self.again.clone();
        let search = self.search(&[(home, left)], Reading::Safe(&again), FALSE)?;
        match search {
            Search::Closed(pairs) => Ok(Decided::Holds(self.holds(home, &inside, pairs))),
            Search::Path(path) => {
                let (set, walk) = self.violated(home, &inside, path);
                Ok(Decided::Violated(set, walk))
            }
        }
    }

    /// The until- and release-formulas that others consist of, parts first.
    fn below(&self, nodes: &[u32]) -> Vec<u32> {
        let all = self.residuals.nodes();
        let mut seen = vec![false; all.len()];
        let mut pending = nodes.to_vec();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            match &all[node as usize] {
                Temporal::And(parts) | Temporal::Or(parts) => pending.extend(parts),
                Temporal::Next(inner) => pending.push(*inner),
                Temporal::Until(l, r) | Temporal::Release(l, r) => pending.extend([*l, *r]),
                Temporal::True | Temporal::False | Temporal::Literal(..) => {}
            }
        }
        let is_temporal = |node: &u32| {
            let node = &all[*node as usize];
            matches!(node, Temporal::Until(..) | Temporal::Release(..))
        };
        let numbers = 0..all.len() as u32;
        numbers
            .filter(|n| seen[*n as usize])
            .filter(is_temporal)
            .collect()
    }

    fn is_until(&self, node: u32) -> bool {
        matches!(self.residuals.nodes()[node as usize], Temporal::Until(..))
    }

    /// Finds out whether a formula is true again and again, or from some time on.
    fn settle(&mut self, node: u32) -> Result<(), Failed> {
        let start = self.residuals.of(node)?;
        let starts: Vec<(u32, u32)> = self.states.iter().map(|s| (*s, start)).collect();
        let search = match self.is_until(node) {
            true => {
                let forever = self.forever.clone();
                self.search(&starts, Reading::Guaranteed(&forever), TRUE)?
            }
            false => {
                let again = self.again.clone();
                self.search(&starts, Reading::Safe(&again), FALSE)?
            }
        };
        match search {
            Search::Path(path) => {
                self.paths.insert(node, path);
                self.again[node as usize] = self.is_until(node);
            }
            Search::Closed(pairs) => {
                self.pairs.insert(node, pairs);
                self.forever[node as usize] = !self.is_until(node);
            }
        }
        Ok(())
    }

    /// Breadth-first from pairs of a state and what is left, to one where the goal is left.
    fn search(
        &mut self,
        starts: &[(u32, u32)],
        reading: Reading<'_>,
        goal: u32,
    ) -> Result<Search, Failed> {
        let other = match goal {
            TRUE => FALSE,
            _ => TRUE,
        };
        let mut seen: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut found: Vec<((u32, u32), u32, Option<Edge>)> = Vec::new();
        for start in starts {
            if start.1 != other && !seen.contains_key(start) {
                seen.insert(*start, found.len() as u32);
                found.push((*start, u32::MAX, None));
            }
        }
        let mut memo: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut queue: VecDeque<u32> = (0..found.len() as u32).collect();
        while let Some(at) = queue.pop_front() {
            if at.is_multiple_of(1 << 10) {
                self.cx.spend(1 << 14)?;
                if found.len() > u32::MAX as usize - 1 {
                    return Err(Stopped::Memory.into());
                }
            }
            let ((state, left), ..) = found[at as usize];
            for edge in self.graph.edges(state) {
                let letter = self.graph.letter(*edge, self.letters);
                let after = match memo.get(&(left, letter)) {
                    Some(after) => *after,
                    None => {
                        let letters = &*self.letters;
                        let holds = |proposition| letters.holds(letter, proposition);
                        let after = self.residuals.after(left, reading, &holds)?;
                        memo.insert((left, letter), after);
                        after
                    }
                };
                if after == goal {
                    return Ok(Search::Path(path(&found, at, *edge)));
                }
                let pair = (edge.target, after);
                if after != other && !seen.contains_key(&pair) {
                    let number = found.len() as u32;
                    seen.insert(pair, number);
                    found.push((pair, at, Some(*edge)));
                    queue.push_back(number);
                }
            }
        }
        Ok(Search::Closed(found.into_iter().map(|f| f.0).collect()))
    }

    /// The formulas that matter for a decision: `mine` are those of `first`, then those inside them of the other kind, and so on.
    fn needed(&self, inside: &[u32], mine: impl Fn(&Self, u32) -> bool) -> Vec<u32> {
        let mut needed: Vec<u32> = Vec::new();
        let until = |it: &Self, nodes: &[u32], is: bool| -> Vec<u32> {
            let below = it.below(nodes).into_iter();
            below.filter(|n| it.is_until(*n) == is).collect()
        };
        let mut pending: Vec<u32> = until(self, inside, true);
        while let Some(node) = pending.pop() {
            if !needed.contains(&node) && mine(self, node) {
                needed.push(node);
                let others = until(self, &[node], !self.is_until(node));
                pending.extend(others);
            }
        }
        needed.sort_unstable();
        needed
    }

    fn holds(&self, home: u32, inside: &[u32], mut pairs: Vec<(u32, u32)>) -> RecurrentSet {
        let needed = self.needed(inside, |it, node| {
            it.again[node as usize] || it.forever[node as usize]
        });
        let mut walk = Walk::new(self.graph, self.states, home);
        let mut passages = Vec::new();
        for node in needed.iter().filter(|n| self.is_until(**n)) {
            let (from, to) = walk.along(&self.paths[node]);
            let node = Some(*node);
            passages.push(Passage { node, from, to });
        }
        let (again, forever): (Vec<u32>, Vec<u32>) =
            needed.iter().partition(|n| self.is_until(**n));
        for node in &forever {
            pairs.extend(&self.pairs[node]);
        }
        RecurrentSet {
            home,
            again,
            forever,
            walk: walk.visits(),
            passages,
            pairs: sorted(pairs),
        }
    }

    fn violated(&self, home: u32, inside: &[u32], last: Path) -> (RecurrentSet, Vec<Edge>) {
        let needed = self.needed(inside, |it, node| {
            !it.again[node as usize] && !it.forever[node as usize]
        });
        let mut walk = Walk::new(self.graph, self.states, home);
        let (from, to) = walk.along(&last);
        let mut passages = vec![Passage {
            node: None,
            from,
            to,
        }];
        let mut pairs = Vec::new();
        for node in &needed {
            match self.is_until(*node) {
                true => pairs.extend(&self.pairs[node]),
                false => {
                    let (from, to) = walk.along(&self.paths[node]);
                    let node = Some(*node);
                    passages.push(Passage { node, from, to });
                }
            }
        }
        walk.go_to(home);
        let is_needed = |node: &u32| needed.binary_search(node).is_ok();
        // Whatever else there may be counts as true: upper bounds.
        let count = self.residuals.nodes().len() as u32;
        let kind = |release: bool| {
            let nodes = self.residuals.nodes();
            let of_kind = move |node: &u32| match nodes[*node as usize] {
                Temporal::Until(..) => !release,
                Temporal::Release(..) => release,
                _ => false,
            };
            (0..count).filter(of_kind)
        };
        let set = RecurrentSet {
            home,
            again: kind(false).filter(|n| !is_needed(n)).collect(),
            forever: kind(true).filter(|n| !is_needed(n)).collect(),
            walk: walk.visits(),
            passages,
            pairs: sorted(pairs),
        };
        (set, walk.edges)
    }
}

fn sorted(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The steps to a pair and one more.
fn path(found: &[((u32, u32), u32, Option<Edge>)], last: u32, edge: Edge) -> Path {
    let mut edges = vec![edge];
    let mut at = last;
    loop {
        let ((state, _), before, edge) = found[at as usize];
        match edge {
            Some(edge) => {
                edges.push(edge);
                at = before;
            }
            None => {
                edges.reverse();
                return Path {
                    start: state,
                    edges,
                };
            }
        }
    }
}

/// Steps within a terminal set, one after the other.
struct Walk<'g> {
    graph: &'g Graph,
    states: &'g [u32],
    home: u32,
    edges: Vec<Edge>,
}

impl<'g> Walk<'g> {
    fn new(graph: &'g Graph, states: &'g [u32], home: u32) -> Self {
        Walk {
            graph,
            states,
            home,
            edges: Vec::new(),
        }
    }

    fn at(&self) -> u32 {
        self.edges.last().map_or(self.home, |e| e.target)
    }

    /// Follows a path; says which letters of the walk it takes.
    fn along(&mut self, path: &Path) -> (u32, u32) {
        self.go_to(path.start);
        let from = self.edges.len() as u32;
        self.edges.extend_from_slice(&path.edges);
        (from, self.edges.len() as u32)
    }

    /// Goes to a state of the set by a shortest path.
    fn go_to(&mut self, goal: u32) {
        let start = self.at();
        if start == goal {
            return;
        }
        let place = |state: u32| self.states.binary_search(&state).unwrap_or(0);
        let mut came: Vec<Option<(u32, Edge)>> = vec![None; self.states.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            if state == goal {
                break;
            }
            for edge in self.graph.edges(state) {
                let slot = &mut came[place(edge.target)];
                if slot.is_none() && edge.target != start {
                    *slot = Some((state, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        let mut back = Vec::new();
        let mut at = goal;
        while let Some((before, edge)) = came[place(at)] {
            back.push(edge);
            at = before;
            if at == start {
                break;
            }
        }
        back.reverse();
        self.edges.extend(back);
    }

    fn visits(&self) -> Vec<Visit> {
        let visit = |edge: &Edge| Visit {
            label: edge.action(),
            vector: edge.target,
        };
        self.edges.iter().map(visit).collect()
    }
}
