//! The queue of obligations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use suppose_model::chc::{Pred, TermId};

/// Can the predicate be true of values in the cube, by a derivation of that depth?
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub pred: Pred,
    /// Literals over the formal parameters, sorted.
    pub cube: Vec<TermId>,
    pub level: u32,
    /// Who asked.
    pub parent: Option<usize>,
    /// How far from the goal.
    pub depth: u32,
    pub state: Status,
    /// How often it was excluded, at growing levels.
    pub excluded: u32,
    /// The guess that it is, or that it is asked for.
    pub guess: Option<usize>,
    /// The obligations that are asked for instead.
    pub halves: Option<[usize; 2]>,
    /// How often facts about its body were not found to suffice because the solver gave up.
    pub undecided: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// In the queue.
    Open,
    /// Excluded at its level and not in the queue.
    Excluded,
    /// Some of its values are reached, by that fact.
    Reached(usize),
}

/// All obligations, and those to look at next: the lowest level first, then the nearest to the goal.
#[derive(Debug, Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    queue: BinaryHeap<Reverse<(u32, u32, usize)>>,
    known: FxHashMap<(Pred, Vec<TermId>), usize>,
    /// For each guess how many more attempts it gets.
    guesses: Vec<u32>,
}

/// How many attempts a guess gets, with those at what it depends on.
const LOOKS: u32 = 30;

impl Obligations {
    /// Asks, or asks again at another level.
    pub fn add(
        &mut self,
        pred: Pred,
        mut cube: Vec<TermId>,
        level: u32,
        parent: Option<usize>,
    ) -> usize {
        cube.sort_unstable();
        cube.dedup();
        let depth = parent.map_or(0, |p| self.all[p].depth + 1);
        let key = (pred, cube);
        if let Some(&known) = self.known.get(&key) {
            let guess = parent.and_then(|p| self.all[p].guess);
            let it = &mut self.all[known];
            // What the goal depends on is no guess any more.
            it.guess = it.guess.and(guess);
            if it.state != Status::Open || it.level != level {
                it.state = Status::Open;
                it.level = level;
                it.parent = parent;
                it.depth = depth;
                self.queue.push(Reverse((level, depth, known)));
            }
            return known;
        }
        let number = self.all.len();
        self.all.push(Obligation {
            pred,
            cube: key.1.clone(),
            level,
            parent,
            depth,
            state: Status::Open,
            excluded: 0,
            guess: parent.and_then(|p| self.all[p].guess),
            halves: None,
            undecided: 0,
        });
        self.known.insert(key, number);
        self.queue.push(Reverse((level, depth, number)));
        number
    }

    /// Adds an obligation that no other depends on, unless it was added before.
    pub fn guess(&mut self, pred: Pred, mut cube: Vec<TermId>, level: u32) {
        cube.sort_unstable();
        cube.dedup();
        if self.known.contains_key(&(pred, cube.clone())) {
            return;
        }
        let number = self.add(pred, cube, level, None);
        self.all[number].guess = Some(self.guesses.len());
        self.guesses.push(LOOKS);
    }

    /// Does it get another attempt? Counts the attempt.
    pub fn is_worth(&mut self, number: usize) -> bool {
        match self.all[number].guess {
            None => true,
            Some(guess) => {
                let left = &mut self.guesses[guess];
                *left = left.saturating_sub(1);
                *left > 0
            }
        }
    }

    pub fn get(&self, number: usize) -> &Obligation {
        &self.all[number]
    }

    pub fn get_mut(&mut self, number: usize) -> &mut Obligation {
        &mut self.all[number]
    }

    /// The next one to look at; it stays open until its state is set.
    pub fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((level, _, number))) = self.queue.pop() {
            let it = &self.all[number];
            if it.state == Status::Open && it.level == level {
                return Some(number);
            }
        }
        None
    }

    /// Puts one that is open back.
    pub fn requeue(&mut self, number: usize) {
        let it = &self.all[number];
        self.queue.push(Reverse((it.level, it.depth, number)));
    }
}
