//! The greatest fixpoint, locally: pairs are looked at when a flow needs them.

use std::collections::VecDeque;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_control::{Context, Stopped};
use suppose_model::lts::State;
use suppose_model::mdp::{Choice, Lpts};

use super::reverse::Reverse;
use super::screen::{Screen, Seen};
use super::table::{Mark, Table};
use crate::flow::{EDGE, GOOD, Kept, Matcher};

/// A pair without matches yet.
const NEW: u32 = u32::MAX;

/// The search for a simulation that relates the initial states.
///
/// Invariant: every choice of a live pair that was looked at has its match, a choice of the right state to which
/// there is a flow over pairs that are live; except for pairs on which a pair depends that is still in `fallen`. What fell, fell for good.
pub(crate) struct Local<'a> {
    pub(crate) left: &'a Lpts,
    pub(crate) right: &'a Lpts,
    pub(crate) seen: Seen<'a>,
    pub(crate) screen: Screen,
    pub(crate) table: Table,
    /// Live pairs and those that were, in the order they were first needed.
    pairs: Vec<(State, State)>,
    /// Where the matches of a pair begin.
    starts: Vec<u32>,
    /// For each choice of the left state of a pair the matching choice of the right side, by its place among all.
    matches: Vec<u32>,
    /// Pairs that fell and whose dependents have not been looked at.
    fallen: VecDeque<(State, State)>,
    /// How many have fallen.
    time: u32,
    reverse: Option<(Reverse, Reverse)>,
    matcher: Matcher,
    /// Flows between large distributions, by their numbers. One that is the match of a live pair hears of every fall.
    kept: HashMap<(u32, u32), Kept, FxBuildHasher>,
    /// This many amounts may still be kept.
    room: usize,
    limits: LocalLimits,
    /// Pairs that the choices of the current pair need and that are not in the table.
    fresh: Vec<(State, State)>,
    cx: &'a Context,
}

/// Before a flow of this many edges memory is asked for.
const HUGE: usize = 1 << 16;

/// What is kept, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalLimits {
    /// Tables of up to this many pairs are arrays.
    pub(crate) dense: usize,
    /// Flows of at least this many edges are kept and repaired; smaller ones are sooner found anew.
    pub(crate) keep: usize,
    /// This many amounts are kept at most.
    pub(crate) room: usize,
}

impl Default for LocalLimits {
    fn default() -> Self {
        LocalLimits {
            dense: 1 << 26,
            keep: 64,
            room: 1 << 23,
        }
    }
}

impl<'a> Local<'a> {
    pub(crate) fn new(
        left: &'a Lpts,
        right: &'a Lpts,
        seen: Seen<'a>,
        limits: LocalLimits,
        cx: &'a Context,
    ) -> Result<Self, Stopped> {
        let size = left.states().saturating_mul(right.states());
        if size <= limits.dense {
            cx.reserve(4 * size as u64)?;
        }
        Ok(Local {
            left,
            right,
            seen,
            screen: Screen::new(left, right, seen),
            table: Table::new(left.states(), right.states(), limits.dense),
            pairs: Vec::new(),
            starts: Vec::new(),
            matches: Vec::new(),
            fallen: VecDeque::new(),
            time: 0,
            reverse: None,
            matcher: Matcher::default(),
            kept: HashMap::default(),
            room: limits.room,
            limits,
            fresh: Vec::new(),
            cx,
        })
    }

    /// Runs to the end. Are the initial states related?
    pub(crate) fn run(&mut self) -> Result<bool, Stopped> {
        let initial = (self.left.initial(), self.right.initial());
        if !self.screen.passes(initial.0, initial.1) {
            return Ok(false);
        }
        self.create(initial)?;
        let mut next = 0;
        loop {
            self.cx.check()?;
            if let Some(pair) = self.fallen.pop_front() {
                if pair == initial {
                    return Ok(false);
                }
                self.propagate(pair)?;
            } else if next < self.pairs.len() {
                self.examine(next)?;
                next += 1;
            } else {
                return Ok(true);
            }
        }
    }

    /// The pairs that are related.
    pub(crate) fn into_pairs(self) -> Vec<(State, State)> {
        let Local {
            table, mut pairs, ..
        } = self;
        pairs.retain(|(s, t)| matches!(table.get(*s, *t), Mark::Live(_)));
        pairs.sort_unstable();
        pairs
    }

    fn create(&mut self, pair: (State, State)) -> Result<(), Stopped> {
        if self.table.get(pair.0, pair.1) != Mark::Unseen {
            return Ok(());
        }
        let number = self.pairs.len();
        if number.is_power_of_two() && number >= 1024 {
            self.cx.reserve(12 * number as u64)?;
        }
        if number >= (NEW >> 1) as usize - 1 {
            return Err(Stopped::Memory);
        }
        self.table.set(pair.0, pair.1, Mark::Live(number as u32));
        self.pairs.push(pair);
        self.starts.push(NEW);
        Ok(())
    }

    fn remove(&mut self, pair: (State, State)) {
        self.time += 1;
        self.table.set(pair.0, pair.1, Mark::Fallen(self.time));
        self.fallen.push_back(pair);
    }

    /// Finds the first matches of a pair.
    fn examine(&mut self, number: usize) -> Result<(), Stopped> {
        let (s, t) = self.pairs[number];
        let start = self.matches.len();
        self.fresh.clear();
        for at in self.left.choice_range(s) {
            let choice = self.left.all_choices()[at];
            let (from, upto) = range_on(self.right, t, self.seen, choice);
            match self.find(choice, from, upto)? {
                Some(with) => self.matches.push(with),
                None => {
                    self.matches.truncate(start);
                    self.remove((s, t));
                    return Ok(());
                }
            }
        }
        if self.matches.len() >= NEW as usize {
            return Err(Stopped::Memory);
        }
        if self.matches.len() == self.matches.capacity() {
            self.cx.reserve(4 * self.matches.len() as u64)?;
        }
        self.starts[number] = start as u32;
        self.create_fresh()
    }

    fn create_fresh(&mut self) -> Result<(), Stopped> {
        for at in 0..self.fresh.len() {
            self.create(self.fresh[at])?;
        }
        self.fresh.clear();
        Ok(())
    }

    /// The first choice of the right side in that range that matches; what its flow needs is added to `fresh`.
    fn find(&mut self, choice: Choice, from: usize, upto: usize) -> Result<Option<u32>, Stopped> {
        let left = self.left.dist(choice.dist);
        for with in from..upto {
            let right = self.right.dist(self.right.all_choices()[with].dist);
            let (rows, columns) = (left.targets(), right.targets());
            let size = rows.len() * columns.len();
            if size >= HUGE {
                self.cx.check()?;
                self.cx.reserve(17 * size as u64)?;
            }
            let (table, screen) = (&self.table, &self.screen);
            let related = self.matcher.related(left, right, |row, column| {
                let (s, t) = (rows[row], columns[column]);
                match table.get(s, t) {
                    Mark::Live(_) => GOOD,
                    Mark::Unseen if screen.passes(s, t) => EDGE,
                    _ => 0,
                }
            });
            if !related {
                continue;
            }
            for (row, s) in rows.iter().enumerate() {
                for (column, t) in columns.iter().enumerate() {
                    if self.matcher.uses(row, column) && table.get(*s, *t) == Mark::Unseen {
                        self.fresh.push((*s, *t));
                    }
                }
            }
            if size >= self.limits.keep {
                let key = (choice.dist.0, self.right.all_choices()[with].dist.0);
                self.keep(key, size);
            }
            return Ok(Some(with as u32));
        }
        Ok(None)
    }

    /// Keeps the flow that was found, if there is room for it.
    fn keep(&mut self, key: (u32, u32), size: usize) {
        let had = self.kept.contains_key(&key);
        if !had && (self.room < size || self.cx.reserve(16 * size as u64).is_err()) {
            return;
        }
        match self.matcher.keep() {
            Some(flow) => {
                self.kept.insert(key, flow);
                self.room -= if had { 0 } else { size };
            }
            None if had => self.drop_kept(key, size),
            None => {}
        }
    }

    fn drop_kept(&mut self, key: (u32, u32), size: usize) {
        self.kept.remove(&key);
        self.room += size;
    }

    /// Repairs the flow of a match after that pair fell, if it is kept. True if it still sends everything; what it needs anew is
    /// added to `fresh`.
    fn repair(&mut self, choice: Choice, with: u32, fell: (State, State)) -> bool {
        let other = self.right.all_choices()[with as usize].dist;
        let (left, right) = (self.left.dist(choice.dist), self.right.dist(other));
        let (rows, columns) = (left.targets(), right.targets());
        let size = rows.len() * columns.len();
        if size < self.limits.keep {
            return false;
        }
        let key = (choice.dist.0, other.0);
        let Some(flow) = self.kept.get_mut(&key) else {
            return false;
        };
        let places = (rows.binary_search(&fell.0), columns.binary_search(&fell.1));
        let (Ok(row), Ok(column)) = places else {
            return false;
        };
        if !flow.uses(row, column) {
            return true;
        }
        let (table, screen) = (&self.table, &self.screen);
        let repaired = flow.repair(row, column, |row, column| {
            let (s, t) = (rows[row], columns[column]);
            match table.get(s, t) {
                Mark::Live(_) => true,
                Mark::Unseen => screen.passes(s, t),
                Mark::Fallen(_) => false,
            }
        });
        if !repaired {
            self.drop_kept(key, size);
            return false;
        }
        for (row, s) in rows.iter().enumerate() {
            for (column, t) in columns.iter().enumerate() {
                if flow.uses(row, column) && table.get(*s, *t) == Mark::Unseen {
                    self.fresh.push((*s, *t));
                }
            }
        }
        true
    }

    /// Looks again at what may have used a pair that fell.
    fn propagate(&mut self, (s, t): (State, State)) -> Result<(), Stopped> {
        if self.reverse.is_none() {
            let bytes = Reverse::bytes(self.left) + Reverse::bytes(self.right);
            self.cx.reserve(bytes)?;
            self.reverse = Some((Reverse::new(self.left), Reverse::new(self.right)));
        }
        let Some((left, right)) = self.reverse.take() else {
            return Ok(());
        };
        let mut result = Ok(());
        for dist in left.dists(s) {
            for choice in left.choices(*dist) {
                for other in right.dists(t) {
                    for with in right.choices(*other) {
                        let pair = (left.state(*choice), right.state(*with));
                        if result.is_ok() {
                            result = self.again(pair, *choice, *with, (s, t));
                        }
                    }
                }
            }
        }
        self.reverse = Some((left, right));
        result
    }

    /// Looks for a match again if the pair is live and the choice is matched with that one; another pair fell that it may need.
    fn again(
        &mut self,
        pair: (State, State),
        choice: u32,
        with: u32,
        fell: (State, State),
    ) -> Result<(), Stopped> {
        let Mark::Live(number) = self.table.get(pair.0, pair.1) else {
            return Ok(());
        };
        let start = self.starts[number as usize];
        if start == NEW {
            return Ok(());
        }
        let place = choice as usize - self.left.choice_range(pair.0).start;
        let place = start as usize + place;
        if self.matches[place] != with {
            return Ok(());
        }
        self.cx.check()?;
        let choice = self.left.all_choices()[choice as usize];
        let (_, upto) = range_on(self.right, pair.1, self.seen, choice);
        self.fresh.clear();
        if self.repair(choice, with, fell) {
            return self.create_fresh();
        }
        match self.find(choice, with as usize, upto)? {
            Some(with) => {
                self.matches[place] = with;
                self.create_fresh()
            }
            None => {
                self.remove(pair);
                Ok(())
            }
        }
    }
}

/// Where the choices of a right state are that can match a choice of the left.
pub(crate) fn range_on(
    right: &Lpts,
    state: State,
    seen: Seen<'_>,
    choice: Choice,
) -> (usize, usize) {
    let label = seen.of(choice.label);
    let range = right.choice_range(state);
    let all = right.choices(state);
    let from = all.partition_point(|c| c.label < label);
    let count = all[from..].partition_point(|c| c.label == label);
    (range.start + from, range.start + from + count)
}
