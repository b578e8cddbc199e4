//! One breadth-first exploration for every engine.
//!
//! Records lie in one arena in the order they were found, so the arena is also the queue and a
//! parent's number never exceeds its child's. The visited table holds record numbers only and
//! hashes the records in place. Labels of a run are found again by stepping from parent to child.
//!
//! [`Exploration::keep_until`] takes back everything from a given state's expansion on, which is what lets an
//! engine go on after the product changed in a part that the kept states have not seen.

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{Label, PackedStates};

use crate::forecast::Forecast;
use crate::product::{Product, Scratch};

const EMPTY: u32 = u32::MAX;
/// More states than this cannot be numbered.
const MOST_STATES: usize = u32::MAX as usize - 1;
/// Ask the context after this many expanded states.
const ASK_EVERY: usize = 256;
/// Tell the observer after this many.
const TELL_EVERY: usize = 1 << 14;
/// What following a transition or expanding a state takes, in the steps of the context: both were measured at 40 to 50 ns
/// with records of one word and at 80 with two.
const fn work_of(words: usize) -> u64 {
    2 + 3 * words as u64
}
/// What looking at a transition takes without looking its target up.
const WORK_OF_A_LOOK: u64 = 3;

/// The states found so far.
#[derive(Clone, Debug)]
pub struct Exploration<const W: usize> {
    arena: Vec<u64>,
    parents: Vec<u32>,
    table: Vec<u32>,
    /// The next state to expand.
    next: usize,
    transitions: u64,
    /// Transitions and expanded states that the context was told of.
    told: u64,
    /// For those who want to know how large it will become.
    forecast: Option<Box<Forecast<W>>>,
    scratch: Scratch<W>,
}

/// Why an exploration paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Everything reachable was expanded.
    Complete,
    /// The state of that number has a step that the guarantee does not allow.
    Violation {
        /// The state.
        state: u32,
        /// The label of the step.
        label: Label,
    },
    /// The state of that number has no step that counts as progress.
    Deadlock {
        /// The state.
        state: u32,
    },
}

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Steps that the guarantee does not allow.
    Violations,
    /// States without progress.
    Deadlocks,
}

/// A run: records and the labels between them.
#[derive(Clone, Debug)]
pub struct Path<const W: usize> {
    /// The records, one more than the labels.
    pub records: Vec<[u64; W]>,
    /// The labels.
    pub labels: Vec<Label>,
}

impl<const W: usize> Exploration<W> {
    /// Starts from the initial record of a product.
    pub fn new(product: &Product) -> Self {
        let mut it = Exploration {
            arena: Vec::new(),
            parents: Vec::new(),
            table: vec![EMPTY; 1 << 10],
            next: 0,
            transitions: 0,
            told: 0,
            forecast: None,
            scratch: Scratch::default(),
        };
        let mut initial = [0; W];
        initial.copy_from_slice(product.initial());
        it.insert(&initial, 0);
        it
    }

    /// Says from now on how much is probably left ([`Event::Forecast`]).
    pub(crate) fn foresee(&mut self) {
        self.forecast = Some(Box::new(Forecast::new()));
    }

    /// How many states were found.
    pub fn states(&self) -> usize {
        self.parents.len()
    }

    /// How many states were expanded.
    pub fn expanded(&self) -> usize {
        self.next
    }

    /// How many transitions were followed.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// A record by number.
    pub fn record(&self, state: u32) -> [u64; W] {
        let mut record = [0; W];
        record.copy_from_slice(&self.arena[state as usize * W..][..W]);
        record
    }

    /// Expands states until all are, or until the goal is found. The state at which it pauses
    /// counts as not expanded.
    pub fn run(&mut self, product: &Product, goal: Goal, cx: &Context) -> Result<Pause, Stopped> {
        self.run_until(product, goal, cx, |_| false)
    }

    /// The same, passing over the deadlocks that `is_end` accepts.
    pub fn run_until(
        &mut self,
        product: &Product,
        goal: Goal,
        cx: &Context,
        is_end: impl Fn(&[u64; W]) -> bool,
    ) -> Result<Pause, Stopped> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = self.expand_all(product, goal, cx, &mut scratch, is_end);
        cx.account(self.work());
        self.scratch = scratch;
        result
    }

    fn expand_all(
        &mut self,
        product: &Product,
        goal: Goal,
        cx: &Context,
        scratch: &mut Scratch<W>,
        is_end: impl Fn(&[u64; W]) -> bool,
    ) -> Result<Pause, Stopped> {
        while self.next < self.states() {
            if self.next.is_multiple_of(ASK_EVERY) {
                self.ask(cx)?;
                self.tell_forecast(product, scratch, cx);
            }
            let state = self.next as u32;
            self.note_level();
            let record = self.record(state);
            let (before, found_before) = (self.transitions, self.states());
            let mut violation = None;
            let mut progress = false;
            product.steps(&record, scratch, |label, to| {
                self.transitions += 1;
                progress |= product.is_progress(label);
                match to {
                    Some(to) => {
                        self.insert(&to, state);
                    }
                    None => violation = violation.or(Some(label)),
                }
            });
            if let Some(label) = violation {
                self.transitions = before;
                self.drop_from(found_before);
                return Ok(Pause::Violation { state, label });
            }
            if goal == Goal::Deadlocks && !progress && !is_end(&record) {
                self.drop_from(found_before);
                return Ok(Pause::Deadlock { state });
            }
            self.next += 1;
        }
        Ok(Pause::Complete)
    }

    /// Asks whether to go on, and makes room while memory can still be asked for.
    pub(crate) fn ask(&mut self, cx: &Context) -> Result<(), Stopped> {
        let work = self.work();
        cx.spend_on_states(self.states() as u64, work)?;
        if self.states() > MOST_STATES {
            return Err(Stopped::Memory);
        }
        if self.next % TELL_EVERY < ASK_EVERY {
            cx.emit(Event::Explored {
                states: self.states() as u64,
                transitions: self.transitions,
            });
        }
        // Between two questions the states at most grow by a few thousand, so growing here, before
        // the tables are full, leaves every large allocation to a moment when memory was asked for.
        let spare = self.states() / 8 + 8 * ASK_EVERY;
        if self.arena.capacity() - self.arena.len() < spare * W / 2 {
            cx.reserve((spare * (W * 8 + 4)) as u64)?;
            self.arena.reserve_exact(spare * W);
            self.parents.reserve_exact(spare);
        }
        if (self.states() + spare / 2) * 4 > self.table.len() * 3 {
            cx.reserve(self.table.len() as u64 * 4)?;
            self.grow_table();
        }
        Ok(())
    }

    /// What was done since the context was told last, in its steps.
    fn work(&mut self) -> u64 {
        let done = self.transitions + self.next as u64;
        let work = done.saturating_sub(self.told) * work_of(W);
        self.told = done;
        work + 1
    }

    /// Says how much work is probably left, now and then.
    pub(crate) fn tell_forecast(
        &mut self,
        product: &Product,
        scratch: &mut Scratch<W>,
        cx: &Context,
    ) {
        let (expanded, found) = (self.next, self.states());
        let Some(mut forecast) = self.forecast.take_if(|f| f.is_due(expanded)) else {
            return;
        };
        let looked_at = forecast.walk(product, scratch, expanded, found);
        cx.account(WORK_OF_A_LOOK * looked_at);
        let total = forecast.total(expanded, found, |record| self.find(record).is_some());
        let left = total.map_or(u64::MAX, |total| self.work_for(total));
        cx.emit(Event::Forecast { left });
        self.forecast = Some(forecast);
    }

    /// The work that is left if there are so many states in all.
    fn work_for(&self, total: f64) -> u64 {
        let expanded = self.next.max(1) as f64;
        let left = (total - expanded).max(0.0);
        (left * (self.transitions as f64 / expanded + 1.0)) as u64 * work_of(W)
    }

    fn note_level(&mut self) {
        let (next, found) = (self.next, self.states());
        if let Some(forecast) = &mut self.forecast {
            forecast.expand(next, found);
        }
    }

    /// The next state to expand, which counts as expanded from now on.
    pub(crate) fn next_state(&mut self) -> Option<u32> {
        let next = self.next;
        (next < self.states()).then(|| {
            self.note_level();
            self.next += 1;
            next as u32
        })
    }

    /// One more transition was followed.
    #[inline]
    pub(crate) fn count_transition(&mut self) {
        self.transitions += 1;
    }

    /// The number of a record, which is added if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, record: &[u64; W], parent: u32) -> u32 {
        let mask = self.table.len() - 1;
        let mut at = hash(record) as usize & mask;
        loop {
            let found = self.table[at];
            if found == EMPTY {
                break;
            }
            if self.arena[found as usize * W..][..W] == record[..] {
                return found;
            }
            at = (at + 1) & mask;
        }
        let number = self.parents.len() as u32;
        self.table[at] = number;
        self.arena.extend_from_slice(record);
        self.parents.push(parent);
        if self.parents.len() * 8 > self.table.len() * 7 {
            self.grow_table();
        }
        number
    }

    fn grow_table(&mut self) {
        let size = self.table.len() * 2;
        self.table = Vec::new();
        self.table = vec![EMPTY; size];
        for number in 0..self.parents.len() {
            let mut record = [0; W];
            record.copy_from_slice(&self.arena[number * W..][..W]);
            let mut at = hash(&record) as usize & (size - 1);
            while self.table[at] != EMPTY {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = number as u32;
        }
    }

    /// The number of a record, if it was found.
    pub fn find(&self, record: &[u64; W]) -> Option<u32> {
        let mask = self.table.len() - 1;
        let mut at = hash(record) as usize & mask;
        loop {
            let found = self.table[at];
            if found == EMPTY {
                return None;
            }
            if self.arena[found as usize * W..][..W] == record[..] {
                return Some(found);
            }
            at = (at + 1) & mask;
        }
    }

    /// Takes back every expansion from that state's on, and the states found by them. The count
    /// of transitions goes on: it says how many were followed in all.
    pub fn keep_until(&mut self, state: u32) {
        let first = state as usize;
        if first >= self.next {
            return;
        }
        // The initial state is its own parent; parents never decrease along the arena.
        let kept = 1 + self.parents[1..].partition_point(|p| (*p as usize) < first);
        self.next = first;
        let gone = self.parents.len() - kept;
        if gone > kept {
            self.arena.truncate(kept * W);
            self.parents.truncate(kept);
            self.refill_table();
            return;
        }
        self.drop_from(kept);
    }

    /// Forgets the states from that number on. Emptying the slots in the reverse order of
    /// insertion needs no tombstones: whatever probed past a slot was inserted after it.
    fn drop_from(&mut self, kept: usize) {
        for number in (kept..self.parents.len()).rev() {
            self.forget(number as u32);
        }
        self.arena.truncate(kept * W);
        self.parents.truncate(kept);
    }

    fn refill_table(&mut self) {
        let wanted = (self.parents.len() * 2).next_power_of_two().max(1 << 10);
        self.table.truncate(wanted.min(self.table.len()) / 2);
        self.table.fill(EMPTY);
        self.grow_table();
    }

    fn forget(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut at = hash(&self.record(number)) as usize & mask;
        while self.table[at] != number {
            at = (at + 1) & mask;
        }
        self.table[at] = EMPTY;
    }

    /// The first state in the arena that satisfies a condition, searched from the front.
    pub fn first(&self, mut is: impl FnMut(&[u64; W]) -> bool) -> Option<u32> {
        (0..self.states() as u32).find(|s| is(&self.record(*s)))
    }

    /// The state whose expansion found this one; the initial state is its own parent.
    pub fn parent(&self, state: u32) -> u32 {
        self.parents[state as usize]
    }

    /// A shortest run from the initial state to that one.
    pub fn path_to(&self, product: &Product, state: u32) -> Path<W> {
        let mut numbers = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.parents[at as usize];
            numbers.push(at);
        }
        numbers.reverse();
        let records: Vec<[u64; W]> = numbers.iter().map(|n| self.record(*n)).collect();
        let mut scratch = Scratch::default();
        let labels = records.windows(2).map(|pair| {
            let mut label = Label::TAU;
            let mut found = false;
            product.steps(&pair[0], &mut scratch, |l, to| {
                if !found && to.as_ref() == Some(&pair[1]) {
                    (label, found) = (l, true);
                }
            });
            label
        });
        let labels = labels.collect();
        Path { records, labels }
    }

    /// All states found, as evidence.
    pub fn into_states(self, product: &Product) -> PackedStates {
        PackedStates::from_arena(product.layout().clone(), self.arena)
    }
}

#[inline]
fn hash<const W: usize>(record: &[u64; W]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut h = 0u64;
    for word in record {
        h = (h ^ *word).wrapping_mul(K);
        h ^= h >> 32;
    }
    h = h.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h ^ (h >> 29)
}
