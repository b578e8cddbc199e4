//! Merging past the equivalences: any quotient will do that keeps the error out of reach.
//!
//! The equivalences of the paper ask that merged states agree wherever the environment could be. But
//! if the property holds, a merge is invertible as soon as the error stays unreachable, so it only
//! matters where the merged states come to be *reached*. So, one after the other, two classes are
//! merged for trial and what becomes reachable is followed, beyond what is explored so far if
//! need be. A trial fails where it comes to a state that leads to the error, or when it makes much
//! more reachable than there was: such an assumption would be small, and dear to check with.

use suppose_control::Context;
use suppose_model::Reason;

use super::process::{Direction, Process};
use super::region::{ERROR, Region};
use super::sets::{Sets, contains, insert, is_empty, ones, remove};

const ASK_EVERY: usize = 1 << 12;

/// Larger processes are left as they are.
const MOST_CLASSES: usize = 4096;

struct Trial<'a> {
    region: &'a mut Region,
    process: &'a Process,
    /// What is reached with the merges so far.
    reach: Sets,
    /// What is known to lead to the error.
    bad: Sets,
    /// The states of the region in which each state of the process is reached.
    places: Vec<Vec<u32>>,
    group_of: Vec<u32>,
    groups: Vec<Vec<u32>>,
    log: Vec<(u32, u32)>,
    work: usize,
    /// Additions that may still be made in all, and that one trial may make.
    budget: u64,
    growth: usize,
}

/// How much to try, and how much more may become reachable.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Pairs that may be added in all trials together.
    pub trials: u64,
    /// Pairs that may be added in one, in times of what there was.
    pub growth: usize,
}

/// A class map onto `0..n`, with the error still unreachable. The region's forward labels must not
/// meet `bad`, what is known to lead to the error.
pub(super) fn coarsen(
    region: &mut Region,
    process: &Process,
    bad: Sets,
    effort: Effort,
    cx: &Context,
) -> Result<(Vec<u32>, usize), Reason> {
    let states = process.states;
    if states > MOST_CLASSES {
        return Ok(((0..states as u32).collect(), states));
    }
    let mut places = vec![Vec::new(); states];
    for row in 0..region.len() {
        for state in ones(region.upper.row(row)) {
            places[state as usize].push(row as u32);
        }
    }
    let reached: usize = places.iter().map(Vec::len).sum();
    let mut trial = Trial {
        reach: region.upper.clone(),
        region,
        process,
        bad,
        places,
        group_of: (0..states as u32).collect(),
        groups: (0..states as u32).map(|s| vec![s]).collect(),
        log: Vec::new(),
        work: 0,
        budget: effort.trials,
        growth: reached.saturating_mul(effort.growth).saturating_add(4096),
    };
    // Where much is reached, merging is hardest: such classes are placed first.
    let mut order: Vec<u32> = (0..states as u32).collect();
    order.sort_by_key(|s| (std::cmp::Reverse(trial.places[*s as usize].len()), *s));
    let mut kept: Vec<u32> = Vec::new();
    for state in order {
        let mut homes = kept.iter().copied();
        let home = loop {
            match homes.next() {
                None => break None,
                Some(home) if trial.merge(home, state, cx)? => break Some(home),
                Some(_) => {}
            }
        };
        if home.is_none() {
            kept.push(state);
        }
    }
    Ok(trial.numbered())
}

impl Trial<'_> {
    /// Merges the groups of two states if that keeps the error out of reach.
    fn merge(&mut self, one: u32, two: u32, cx: &Context) -> Result<bool, Reason> {
        let (a, b) = (self.group_of[one as usize], self.group_of[two as usize]);
        if self.budget == 0 {
            return Ok(false);
        }
        let (mine, theirs) = (
            self.groups[a as usize].clone(),
            self.groups[b as usize].clone(),
        );
        self.groups[a as usize].extend(&theirs);
        for state in &theirs {
            self.group_of[*state as usize] = a;
        }
        self.log.clear();
        let good = self.follow(&mine, &theirs, cx)?;
        match good {
            true => self.groups[b as usize].clear(),
            false => {
                for (row, state) in std::mem::take(&mut self.log).into_iter().rev() {
                    remove(self.reach.row_mut(row as usize), state);
                    self.places[state as usize].pop();
                }
                for state in &theirs {
                    self.group_of[*state as usize] = b;
                }
                self.groups[a as usize] = mine;
            }
        }
        Ok(good)
    }

    fn follow(&mut self, mine: &[u32], theirs: &[u32], cx: &Context) -> Result<bool, Reason> {
        let here = self.places[mine[0] as usize].clone();
        let there = self.places[theirs[0] as usize].clone();
        for (rows, group) in [(here, theirs[0]), (there, mine[0])] {
            for row in rows {
                if !self.add(row, group) {
                    return Ok(false);
                }
            }
        }
        let mut next = 0;
        let mut image = vec![0; self.reach.row(0).len()];
        while next < self.log.len() {
            self.work += 1 + image.len() / 8;
            if self.work > ASK_EVERY {
                cx.spend(std::mem::take(&mut self.work) as u64)?;
            }
            if self.log.len() > self.growth {
                return Ok(false);
            }
            let (row, state) = self.log[next];
            next += 1;
            if !self.step(row, state, &mut image) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a state (and so all of its group) where it was not; false if that is bad.
    fn add(&mut self, row: u32, state: u32) -> bool {
        if contains(self.reach.row(row as usize), state) {
            return true;
        }
        for member in self.groups[self.group_of[state as usize] as usize].clone() {
            if contains(self.bad.row(row as usize), member) {
                return false;
            }
            if insert(self.reach.row_mut(row as usize), member) {
                self.places[member as usize].push(row);
                self.log.push((row, member));
                self.budget = self.budget.saturating_sub(1);
            }
        }
        true
    }

    /// Everything that one state reaches in one step.
    fn step(&mut self, row: u32, state: u32, image: &mut [u64]) -> bool {
        let mut single = vec![0; image.len()];
        insert(&mut single, state);
        let process = self.process;
        image.fill(0);
        process.image(Direction::Forward, 0, &single, image);
        if !ones(image).all(|s| self.add(row, s)) {
            return false;
        }
        if !self.region.is_expanded(row as usize) {
            self.region.expand(row as usize);
            while self.reach.len() < self.region.len() {
                self.reach.push();
                self.bad.push();
            }
        }
        let mut last = 0;
        for number in self.region.edges_of(row as usize) {
            let edge = self.region.edges[number];
            if edge.channel != last {
                last = edge.channel;
                image.fill(0);
                process.image(Direction::Forward, last, &single, image);
            }
            let set = if last == 0 { &single[..] } else { &image[..] };
            if is_empty(set) {
                continue;
            }
            if edge.target == ERROR || !ones(set).all(|s| self.add(edge.target, s)) {
                return false;
            }
        }
        true
    }

    fn numbered(&self) -> (Vec<u32>, usize) {
        let mut number = vec![None; self.groups.len()];
        let mut count = 0;
        let mut map = Vec::with_capacity(self.group_of.len());
        for group in &self.group_of {
            let slot = &mut number[*group as usize];
            map.push(*slot.get_or_insert_with(|| {
                count += 1;
                count - 1
            }));
        }
        (map, count as usize)
    }
}
