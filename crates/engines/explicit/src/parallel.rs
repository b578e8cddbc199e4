//! Breadth-first search on several threads.
//!
//! The set of states is partitioned: the hash of a state says to which part it belongs. A level is expanded in batches of
//! consecutive states, each in two phases. First, each thread takes *runs* of consecutive states and expands them; nothing is added
//! to the set meanwhile, so all threads read all parts without locks, and successors that are not there yet go to the
//! outboxes of the run, one for each part. Then each thread adds to the parts it owns what all runs have for them, in the order of
//! the runs. At last the new states of all parts are merged by where they came from.
//!
//! # Why the number of threads changes nothing
//!
//! States are expanded in the order in which one thread would expand them, as far as anything can depend on that order: of two ways
//! to a new state the earlier one wins, since parts are filled in the order of runs, and the merge puts new states into the order
//! in which one thread would have found them. The reduction follows one process alone if one of its steps leads to a state that is not expanded
//! *before this one in that order*; the place of a state of the same level in the order is in its record. What goes
//! wrong is looked at in that order too, and everything behind the point where one thread would have ended is
//! discarded. So the argument for the reduction is the one for one thread, and verdicts, counts and counterexamples are the same.
//!
//! A configuration that has to be compiled changes the machine that all threads read, and perhaps what is known about
//! the users of channels. So what was expanded behind the state that needs it is discarded as well, and a stretch from there on is
//! done on one thread.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::ExplicitOptions;
use crate::expand::Halt;
use crate::finding::{End, Findings};
use crate::machine::Machine;
use crate::store::{CLOSED, FLAGS, Full, NONE, ODD, Parts, STUTTER, States, Store};
use crate::symmetry::Exchange;
use crate::walker::{ASK_EVERY, Sink, Walker, make_room};
use suppose_control::{Context, Event, on_threads};
use suppose_model::program::{Question, Violation};

/// States in a run.
const RUN: usize = if cfg!(test) { 7 } else { 512 };
/// Runs in a batch.
const BATCH: usize = 32;
/// With fewer states than this a batch is expanded on one thread.
const SMALL: usize = if cfg!(test) { 20 } else { 1024 };
/// No more runs are begun when the outboxes of a batch have so many words.
const MOST_WORDS: usize = 1 << 23;
/// So many states behind one that needed a configuration are expanded on one thread.
const STRETCH: usize = if cfg!(test) { 10 } else { 512 };

/// What the search has besides the set of states.
pub(crate) struct Level<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    pub(crate) findings: &'a mut Findings,
    pub(crate) options: &'a ExplicitOptions,
    pub(crate) exchange: Option<&'a Exchange<'a>>,
    pub(crate) cx: &'a Context,
    /// States expanded so far.
    pub(crate) count: u64,
    pub(crate) transitions: &'a mut u64,
    pub(crate) depth: &'a mut u64,
    /// Was a step not followed to its end?
    pub(crate) cut: &'a mut bool,
}

/// The states, and how far the search is. States of the current level and the next have their place in it in their
/// record, instead of where they came from.
pub(crate) struct Parallel {
    pub(crate) states: Parts,
    /// States found, as one thread would count them at this point.
    pub(crate) count: u64,
    pub(crate) threads: usize,
    level: Vec<u32>,
    parents: Vec<u32>,
    next: Vec<u32>,
    next_parents: Vec<u32>,
    /// [`ODD`] in every second level: the flag of the states in this one.
    odd: u64,
    /// The numbers that states had before, and have now.
    numbers: Vec<(u32, u32)>,
    spare: Vec<Run>,
}

/// What of the head of a record is no part of the state.
const ANY: u64 = FLAGS | 0xffff_ffff;

/// A successor for a part.
struct Entry {
    hash: u64,
    /// The place of the expanded state in its level, and of this one among its successors.
    key: u64,
    start: u32,
    end: u32,
}

#[derive(Default)]
struct Outbox {
    entries: Vec<Entry>,
    words: Vec<u64>,
}

/// Consecutive states of a level and what came of them.
#[derive(Default)]
struct Run {
    first: usize,
    /// Steps of each state that was expanded.
    steps: Vec<u32>,
    outboxes: Vec<Outbox>,
    wrong: Vec<(usize, Question, Violation)>,
    /// Was a process followed alone because of who uses its channels?
    relies: bool,
    /// The first state of which a step was not followed to its end.
    cut: Option<usize>,
    /// Why the state behind the last one could not be expanded.
    halt: Option<Halt>,
    /// Where successors with a hash were put last: neighbours have many in common, and an outbox needs each of them once.
    recent: Vec<u32>,
}

/// Places in [`Run::recent`].
const RECENT: usize = 1 << 11;

impl Run {
    fn clear(&mut self, first: usize, parts: usize) {
        self.first = first;
        self.steps.clear();
        self.outboxes.resize_with(parts, Outbox::default);
        for outbox in &mut self.outboxes {
            outbox.entries.clear();
            outbox.words.clear();
        }
        self.recent.clear();
        self.recent.resize(RECENT, 0);
        self.wrong.clear();
        (self.relies, self.cut, self.halt) = (false, None, None);
    }

    /// The place behind the last state that was expanded.
    fn end(&self) -> usize {
        self.first + self.steps.len()
    }

    fn words(&self) -> usize {
        let words = |outbox: &Outbox| outbox.words.len() + 3 * outbox.entries.len();
        self.outboxes.iter().map(words).sum()
    }
}

/// Expands states; the set is only read.
struct Reader<'a, 'p> {
    machine: &'a Machine<'p>,
    states: &'a Parts,
    level: &'a [u32],
    odd: u64,
    cx: &'a Context,
}

impl Reader<'_, '_> {
    /// Expands states up to that place, or up to one that cannot be expanded now.
    fn expand(&self, walker: &mut Walker, run: &mut Run, end: usize) {
        while run.end() < end {
            let place = run.end();
            if place.is_multiple_of(ASK_EVERY as usize)
                && let Err(stopped) = self.cx.check()
            {
                run.halt = Some(Halt::Stopped(stopped));
                return;
            }
            if let Err(halt) = self.expand_one(walker, run, place) {
                walker.expander.cut = false;
                run.halt = Some(halt);
                return;
            }
        }
    }

    fn expand_one(&self, walker: &mut Walker, run: &mut Run, place: usize) -> Result<(), Halt> {
        let id = self.level[place];
        walker.load(self.machine, self.states, id);
        let is_open = |record: &[u64], hash| match self.states.find(record, hash) {
            None => true,
            Some(there) => {
                let head = self.states.head(there);
                head & CLOSED == 0 && (head & ODD != self.odd || head as u32 as usize > place)
            }
        };
        let (any, relies) = walker.successors(self.machine, self.cx, is_open)?;
        run.relies |= relies;
        if std::mem::take(&mut walker.expander.cut) {
            run.cut = run.cut.or(Some(place));
        }
        for (violation, _) in &walker.expander.wrong {
            let question = self.machine.blame(*violation);
            run.wrong.push((place, question, *violation));
        }
        let mut outlet = Outlet {
            states: self.states,
            claim: Question::Claim(self.machine.options.claim.unwrap_or_default()),
            place,
            steps: 0,
            run,
        };
        if self.machine.claim.is_some() {
            let alone = self.states.head(id) & STUTTER != 0;
            // An outlet takes everything.
            let _ = walker.under_claim(self.machine, self.cx, any, alone, &mut outlet);
        } else {
            if !any && let Some(violation) = self.machine.stopped(&walker.state) {
                let question = self.machine.blame(violation);
                outlet.run.wrong.push((place, question, violation));
            }
            outlet.take(walker);
        }
        let steps = outlet.steps;
        run.steps.push(steps);
        Ok(())
    }
}

/// Puts successors that are not in the set into the outboxes.
struct Outlet<'a> {
    states: &'a Parts,
    claim: Question,
    place: usize,
    steps: u32,
    run: &'a mut Run,
}

impl Outlet<'_> {
    fn take(&mut self, walker: &Walker) {
        let mut touched = 0;
        for item in &walker.expander.items {
            touched ^= self.states.parts[self.states.of(item.hash)].touch(item.hash);
        }
        std::hint::black_box(touched);
        for item in &walker.expander.items {
            let record = &walker.expander.words[item.start as usize..item.end as usize];
            self.put(record, item.hash, 0);
        }
    }

    #[inline(always)]
    fn put(&mut self, record: &[u64], hash: u64, flags: u64) {
        let number = self.steps;
        self.steps += 1;
        let part = self.states.of(hash);
        if self.states.parts[part].find(record, hash).is_some() {
            return;
        }
        let outbox = &mut self.run.outboxes[part];
        let recent = &mut self.run.recent[(hash >> 40) as usize & (RECENT - 1)];
        if let Some(entry) = outbox.entries.get((*recent as usize).wrapping_sub(1))
            && entry.hash == hash
            && outbox.words[entry.start as usize + 1..entry.end as usize] == record[1..]
            && outbox.words[entry.start as usize] & !ANY == record[0] & !ANY
        {
            return;
        }
        *recent = outbox.entries.len() as u32 + 1;
        let start = outbox.words.len() as u32;
        outbox.words.extend_from_slice(record);
        outbox.words[start as usize] |= flags;
        outbox.entries.push(Entry {
            hash,
            key: (self.place as u64) << 32 | u64::from(number),
            start,
            end: outbox.words.len() as u32,
        });
    }
}

impl Sink for Outlet<'_> {
    fn add(&mut self, record: &[u64], hash: u64, flags: u64) -> Result<(), End> {
        self.put(record, hash, flags);
        Ok(())
    }

    fn claim_violated(&mut self, violation: Violation) {
        self.run.wrong.push((self.place, self.claim, violation));
    }
}

/// A part, and what is new in it.
struct Part<'a> {
    store: &'a mut Store,
    number: usize,
    new: Vec<(u64, u32)>,
    failed: Option<End>,
}

impl Part<'_> {
    /// Adds what the runs have for this part, up to that place in the level.
    fn fill(&mut self, runs: &[Run], level: &[u32], end: usize, odd: u64, cx: &Context) {
        for run in runs {
            let outbox = &run.outboxes[self.number];
            for entry in &outbox.entries {
                let place = (entry.key >> 32) as usize;
                if place >= end {
                    return;
                }
                let record = &outbox.words[entry.start as usize..entry.end as usize];
                let flags = record[0] & STUTTER | odd;
                let added = make_room(self.store, 1, cx).and_then(|()| {
                    let added = self.store.insert(record, entry.hash, level[place], flags);
                    added.map_err(End::from)
                });
                match added {
                    Ok((id, true)) => self.new.push((entry.key, id)),
                    Ok(_) => {}
                    Err(end) => {
                        self.failed = Some(end);
                        return;
                    }
                }
            }
        }
    }
}

impl Parallel {
    /// Takes over from one thread, which would go on with that state, the first of a level.
    pub(crate) fn new(
        machine: &Machine,
        store: &Store,
        first: u32,
        threads: usize,
    ) -> Result<Parallel, Full> {
        let mut it = Parallel {
            states: Parts::new(threads.next_power_of_two().trailing_zeros() + 1),
            count: store.len() as u64,
            threads,
            level: Vec::new(),
            parents: Vec::new(),
            next: Vec::new(),
            next_parents: Vec::new(),
            odd: 0,
            numbers: Vec::with_capacity(store.len()),
            spare: Vec::new(),
        };
        let mut at = 0;
        while let Some(id) = store.seek(at) {
            let head = store.head(id);
            let words = machine.configs[((head & !FLAGS) >> 32) as usize].words;
            let record = &store.from(id)[..words - machine.hidden];
            at = id + record.len() as u32;
            let parent = it.new_number(store.parent(id));
            let hash = crate::store::hash(record);
            let part = it.states.of(hash);
            let part = &mut it.states.parts[part];
            if part.growth(1).is_some() {
                part.grow();
            }
            let flags = head & STUTTER;
            let (number, _) = match id < first {
                true => part.insert(record, hash, parent, flags | CLOSED)?,
                false => part.insert(record, hash, it.level.len() as u32, flags)?,
            };
            if id >= first {
                it.level.push(number);
                it.parents.push(parent);
            }
            it.numbers.push((id, number));
        }
        Ok(it)
    }

    /// The number of a state that one thread has found.
    pub(crate) fn new_number(&self, id: u32) -> u32 {
        let found = self.numbers.binary_search_by_key(&id, |(old, _)| *old);
        found.map_or(NONE, |place| self.numbers[place].1)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let lists = [&self.level, &self.parents, &self.next, &self.next_parents];
        self.states.bytes() + lists.iter().map(|l| l.capacity() as u64 * 4).sum::<u64>()
    }

    /// Searches to the end; false if nothing was left to find before.
    pub(crate) fn run(&mut self, search: &mut Level) -> Result<bool, End> {
        self.numbers = Vec::new();
        let mut walkers: Vec<Walker> = Vec::new();
        walkers.resize_with(self.threads, || Walker::new(search.exchange));
        let ended = self.levels(search, &mut walkers);
        self.close(true);
        ended
    }

    fn levels(&mut self, search: &mut Level, walkers: &mut [Walker]) -> Result<bool, End> {
        loop {
            let mut at = 0;
            while at < self.level.len() {
                let (runs, halt) = self.expand(search, walkers, at);
                let end = runs.last().map_or(at, Run::end);
                if self.add(search, runs, end)? {
                    return Ok(false);
                }
                at = end;
                match halt {
                    None => {}
                    Some(Halt::Stopped(stopped)) => return Err(stopped.into()),
                    Some(Halt::Needs(_)) => {
                        let run = self.stretch(search, &mut walkers[0], at)?;
                        at = run.end();
                        if self.add(search, vec![run], at)? {
                            return Ok(false);
                        }
                    }
                }
            }
            if self.next.is_empty() {
                return Ok(true);
            }
            self.close(false);
            *search.depth += 1;
        }
    }

    /// Expands a batch of states from that place on: the runs that are good, in order, and why the last one ends early.
    fn expand(
        &mut self,
        search: &Level,
        walkers: &mut [Walker],
        at: usize,
    ) -> (Vec<Run>, Option<Halt>) {
        let reader = Reader {
            machine: search.machine,
            states: &self.states,
            level: &self.level,
            odd: self.odd,
            cx: search.cx,
        };
        let (size, parts) = (self.level.len(), self.states.parts.len());
        let count = (size - at).div_ceil(RUN).min(BATCH);
        // Runs are handed out in order up to `last`.
        let (given, last) = (AtomicUsize::new(0), AtomicUsize::new(count));
        let words = AtomicUsize::new(0);
        let used = match size - at < SMALL {
            true => 1,
            false => walkers.len(),
        };
        let spare = &mut self.spare;
        let workers = walkers[..used].iter_mut().map(|walker| {
            let own = spare.split_off(spare.len() - spare.len().min(BATCH.div_ceil(used)));
            (walker, own, Vec::new())
        });
        let mut workers: Vec<_> = workers.collect();
        on_threads(&mut workers, |(walker, own, done): &mut Worker| {
            loop {
                let number = given.fetch_add(1, Ordering::Relaxed);
                if number >= last.load(Ordering::Relaxed) {
                    return;
                }
                let mut run = own.pop().unwrap_or_default();
                let first = at + number * RUN;
                run.clear(first, parts);
                reader.expand(walker, &mut run, (first + RUN).min(size));
                if run.halt.is_some() {
                    last.fetch_min(number + 1, Ordering::Relaxed);
                }
                let words = words.fetch_add(run.words(), Ordering::Relaxed) + run.words();
                if words > MOST_WORDS {
                    // What was given out is finished, so that the runs are consecutive.
                    given.fetch_add(count, Ordering::Relaxed);
                }
                done.push(run);
            }
        });
        let mut runs = Vec::new();
        for (_, own, done) in workers {
            spare.extend(own);
            runs.extend(done);
        }
        runs.sort_unstable_by_key(|run| run.first);
        let good = runs.iter().position(|run| run.halt.is_some());
        let good = good.map_or(runs.len(), |place| place + 1);
        spare.extend(runs.drain(good..));
        let halt = runs.last_mut().and_then(|run| run.halt.take());
        (runs, halt)
    }

    /// Expands states from that place on, the first of which needs a configuration, and compiles what they need.
    fn stretch(&self, search: &mut Level, walker: &mut Walker, at: usize) -> Result<Run, End> {
        let mut run = Run::default();
        run.clear(at, self.states.parts.len());
        let mut end = at;
        loop {
            let reader = Reader {
                machine: search.machine,
                states: &self.states,
                level: &self.level,
                odd: self.odd,
                cx: search.cx,
            };
            end = (run.end() + STRETCH).min(self.level.len()).max(end);
            reader.expand(walker, &mut run, end);
            if run.relies {
                search.machine.exclusive.rely();
            }
            match run.halt.take() {
                None => return Ok(run),
                Some(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Some(Halt::Needs(need)) => {
                    search.machine.make(&need).map_err(End::Unsupported)?;
                    if search.machine.exclusive.is_lost() {
                        return Err(End::Again);
                    }
                }
            }
        }
    }

    /// Adds what runs have found to the set, up to that place in the level. True if nothing is left to find.
    fn add(&mut self, search: &mut Level, runs: Vec<Run>, end: usize) -> Result<bool, End> {
        let mut wrong = runs.iter().flat_map(|run| &run.wrong).peekable();
        let enough = nothing_left(search, &runs);
        let end = enough.map_or(end, |place| place + 1);
        if runs.iter().any(|run| run.relies) {
            search.machine.exclusive.rely();
        }
        *search.cut |= runs.iter().any(|run| run.cut.is_some_and(|c| c < end));
        let before = self.count;
        let new = self.fill(search, &runs, end)?;
        let steps = runs.iter().flat_map(|run| {
            let places = run.first..;
            places.zip(&run.steps).filter(|(place, _)| *place < end)
        });
        let mut found = new.iter().peekable();
        for (place, steps) in steps {
            *search.transitions += u64::from(*steps);
            search.count += 1;
            while found.next_if(|key| **key >> 32 <= place as u64).is_some() {
                self.count += 1;
            }
            while let Some((_, question, violation)) = wrong.next_if(|w| w.0 == place) {
                let id = self.level[place];
                search.findings.add(*question, *violation, id);
            }
            if enough != Some(place) && search.count.is_multiple_of(ASK_EVERY) {
                search.cx.check_states(self.count)?;
            }
        }
        debug_assert_eq!(self.count - before, new.len() as u64);
        search.cx.emit(Event::Explored {
            states: self.count,
            transitions: *search.transitions,
        });
        self.spare.extend(runs);
        Ok(enough.is_some())
    }

    /// Adds new states to the parts, and puts them into the order of the next level. Their keys, in that order.
    fn fill(&mut self, search: &Level, runs: &[Run], end: usize) -> Result<Vec<u64>, End> {
        let (odd, level, cx) = (self.odd ^ ODD, &self.level, search.cx);
        let parts = self.states.parts.iter_mut().enumerate();
        let mut parts: Vec<Part> = parts
            .map(|(number, store)| Part {
                store,
                number,
                new: Vec::new(),
                failed: None,
            })
            .collect();
        let few = runs.len() * RUN < SMALL;
        let share = if few {
            parts.len()
        } else {
            parts.len().div_ceil(self.threads)
        };
        let mut shares: Vec<&mut [Part]> = parts.chunks_mut(share).collect();
        on_threads(&mut shares, |parts| {
            for part in parts.iter_mut() {
                part.fill(runs, level, end, odd, cx);
            }
        });
        let mut new = Vec::with_capacity(parts.len());
        for part in &mut parts {
            if let Some(end) = part.failed.take() {
                return Err(end);
            }
            new.push(std::mem::take(&mut part.new));
        }
        Ok(self.merge(&new))
    }

    /// Appends new states to the next level, by where they came from.
    fn merge(&mut self, new: &[Vec<(u64, u32)>]) -> Vec<u64> {
        let mut at = vec![0; new.len()];
        let mut keys = Vec::with_capacity(new.iter().map(Vec::len).sum());
        loop {
            let heads = new.iter().zip(&at).enumerate();
            let heads = heads.filter_map(|(part, (list, at))| Some((list.get(*at)?, part)));
            let Some(((key, id), part)) = heads.min() else {
                return keys;
            };
            at[part] += 1;
            keys.push(*key);
            self.states
                .with(*id)
                .set_parent(*id, self.next.len() as u32);
            self.next.push(*id);
            self.next_parents.push(self.level[(key >> 32) as usize]);
        }
    }

    /// The level is expanded: its states say again where they came from, and the next one is the level; at the `end`, both say so.
    fn close(&mut self, end: bool) {
        for (id, parent) in self.level.iter().zip(&self.parents) {
            let part = self.states.with(*id);
            part.set_flag(*id, CLOSED);
            part.set_parent(*id, *parent);
        }
        std::mem::swap(&mut self.level, &mut self.next);
        std::mem::swap(&mut self.parents, &mut self.next_parents);
        self.next.clear();
        self.next_parents.clear();
        self.odd ^= ODD;
        if end && !self.level.is_empty() {
            self.close(false);
        }
    }
}

/// A thread's walker, runs to use again, and runs that are done.
type Worker<'a> = (&'a mut Walker, Vec<Run>, Vec<Run>);

/// The place of the state behind which one thread would have nothing left to find.
fn nothing_left(search: &Level, runs: &[Run]) -> Option<usize> {
    let wrong: Vec<_> = runs.iter().flat_map(|run| &run.wrong).collect();
    let mut findings = search.findings.clone();
    for same in wrong.chunk_by(|a, b| a.0 == b.0) {
        for (_, question, violation) in same {
            findings.add(*question, *violation, NONE);
        }
        if findings.is_enough(search.options) {
            return Some(same[0].0);
        }
    }
    None
}
