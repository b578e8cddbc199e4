//! Breadth-first search in rounds, with delayed duplicate detection.
//!
//! A round expands a layer. Successors are not looked up one by one: they are collected by partition, sorted, and then all sets of
//! states found before are subtracted from them side by side; what is left is the next layer (Korf: *Best-first frontier search with delayed
//! duplicate detection*, 2004; Stern and Dill: *Using magnetic disk instead of main memory in the Murφ verifier*, 1998). Where successors do
//! not fit into the buffer, sorted runs of them are written out. Whole states are compared, never hashes.
//!
//! Sets found before are kept as few files: when [`FAN_IN`] are of about one size or smaller, they become one. So each state is
//! rewritten a few times, and each round looks into few files. Layers are kept beside them: a counterexample is found backwards from layer to
//! layer, without parent pointers.
//!
//! Layers are sorted, so neither the number of threads nor an interruption changes what is found, and in which order.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use suppose_control::{Context, Event, Stopped, on_threads};

use crate::Rounds;
use crate::folder::{self, Finding, Folder, Progress};
use crate::image::{Entry, Image, PARTITIONS};
use crate::outbox::Outbox;
use crate::progress;
use crate::rows;
use crate::sets::Maker;
use crate::space::{Grown, Halt, Space};
use crate::trouble::Trouble;

/// States that one thread expands before it takes others.
const RUN: usize = 512;
/// States that are expanded before anything is decided.
const BATCH: usize = 64 * RUN;
/// So many files of about one size become one.
const FAN_IN: usize = 8;
/// With fewer words than this, threads cost more than they bring.
const SMALL: usize = 1 << 15;
/// The context is asked after so many states.
const ASK_EVERY: usize = 128;

/// A thread's part.
struct Job<W> {
    worker: W,
    outbox: Outbox,
}

/// Consecutive states of a batch.
struct Run {
    next: usize,
    end: usize,
    steps: u64,
    halt: Option<Halt>,
    wrong: Vec<(usize, usize)>,
}

/// Some layers, as one set.
struct Visited {
    first: usize,
    last: usize,
    image: Arc<Image>,
}

/// Why a round ends early.
pub(crate) enum Break {
    Trouble(Trouble),
    Restart,
}

impl<T: Into<Trouble>> From<T> for Break {
    fn from(trouble: T) -> Break {
        Break::Trouble(trouble.into())
    }
}

pub(crate) struct Search<'a, S: Space> {
    pub(crate) space: &'a mut S,
    pub(crate) rounds: &'a Rounds,
    pub(crate) cx: &'a Context,
    pub(crate) folder: Option<Folder>,
    pub(crate) progress: Progress,
    /// The layers that are in memory.
    held: Vec<Arc<Image>>,
    visited: Vec<Visited>,
    jobs: Vec<Job<S::Worker>>,
    runs: Vec<Image>,
    unsynced: Vec<String>,
    garbage: Vec<String>,
    /// What the manifest would say without the round that has begun.
    ended: Ended,
    saved: u64,
    /// Files could not be forced to the disk: what is in them is not known.
    lost: bool,
}

/// Where the last round ended.
#[derive(Default)]
struct Ended {
    transitions: u64,
    expanded: u64,
    findings: usize,
    needs: usize,
    memo: u64,
}

impl<'a, S: Space> Search<'a, S> {
    pub(crate) fn new(
        space: &'a mut S,
        rounds: &'a Rounds,
        folder: Option<Folder>,
        cx: &'a Context,
    ) -> Self {
        Search {
            space,
            rounds,
            cx,
            folder,
            progress: Progress::default(),
            held: Vec::new(),
            visited: Vec::new(),
            jobs: Vec::new(),
            runs: Vec::new(),
            unsynced: Vec::new(),
            garbage: Vec::new(),
            ended: Ended::default(),
            saved: 0,
            lost: false,
        }
    }

    /// Goes on where a search was stopped.
    pub(crate) fn go_on(&mut self, progress: Progress) -> Result<(), Trouble> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        folder.clean(&progress)?;
        folder.verify(&progress)?;
        if progress.restarted {
            self.space.restart().map_err(Trouble::Unsupported)?;
        }
        for need in &progress.needs {
            self.space.grow(need).map_err(Trouble::Unsupported)?;
        }
        self.space.recall(progress.memo);
        let mut first = 0;
        for entry in &progress.visited {
            let image = Arc::new(Image::open(folder.path(), entry)?);
            let last = covered(&progress.layers, first, entry)
                .ok_or_else(|| Trouble::damaged("manifest", "its files do not fit together"))?;
            self.visited.push(Visited { first, last, image });
            first = last + 1;
        }
        if first != progress.layers.len() {
            return Err(Trouble::damaged("manifest", "files are missing in it"));
        }
        self.saved = progress.expanded;
        self.progress = progress;
        self.end_round();
        Ok(())
    }

    fn end_round(&mut self) {
        self.ended = Ended {
            transitions: self.progress.transitions,
            expanded: self.progress.expanded,
            findings: self.progress.findings.len(),
            needs: self.progress.needs.len(),
            memo: self.space.memo(),
        };
    }

    /// Searches to the end.
    pub(crate) fn run(&mut self) -> Result<(), Trouble> {
        loop {
            match self.search() {
                Ok(()) => return Ok(()),
                Err(Break::Restart) => self.restart()?,
                Err(Break::Trouble(trouble)) => {
                    self.save_rounds(&trouble);
                    return Err(trouble);
                }
            }
        }
    }

    /// After trouble in a round: those before it are not lost, if the disk still takes a manifest.
    fn save_rounds(&mut self, trouble: &Trouble) {
        self.runs.clear();
        if self.lost || matches!(trouble, Trouble::Refused(_)) || self.saved >= self.ended.expanded
        {
            return;
        }
        let found = self.progress.clone();
        let ended = &self.ended;
        self.progress.transitions = ended.transitions;
        self.progress.expanded = ended.expanded;
        self.progress.findings.truncate(ended.findings);
        self.progress.needs.truncate(ended.needs);
        self.progress.memo = ended.memo;
        // If this fails too, the last manifest is still there.
        if let Some(folder) = &self.folder
            && folder.remove_unfinished(self.progress.layers.len()).is_ok()
        {
            let _ = self.write_manifest();
        }
        self.progress = found;
    }

    fn restart(&mut self) -> Result<(), Trouble> {
        self.progress = Progress {
            restarted: true,
            ..Progress::default()
        };
        (self.saved, self.ended) = (0, Ended::default());
        (self.held, self.visited, self.runs) = (Vec::new(), Vec::new(), Vec::new());
        (self.unsynced, self.garbage, self.jobs) = (Vec::new(), Vec::new(), Vec::new());
        self.space.restart().map_err(Trouble::Unsupported)?;
        if let Some(folder) = &self.folder {
            folder.commit(&self.progress)?;
            folder.clean(&self.progress)?;
        }
        Ok(())
    }

    fn search(&mut self) -> Result<(), Break> {
        self.make_jobs();
        if self.progress.layers.is_empty() {
            self.begin()?;
        }
        while !self.progress.done {
            let layer = self.layer(self.progress.layers.len() - 1)?;
            if self.expand(&layer)? {
                self.progress.done = true;
                break;
            }
            self.next_layer()?;
            self.end_round();
            self.tidy()?;
            if self.progress.expanded - self.saved >= self.rounds.save_after {
                self.save()?;
            }
        }
        self.save()?;
        Ok(())
    }

    fn make_jobs(&mut self) {
        let (space, words) = (&*self.space, self.space.words());
        self.jobs.resize_with(self.rounds.threads.max(1), || Job {
            worker: space.worker(),
            outbox: Outbox::new(words),
        });
    }

    /// The first layer.
    fn begin(&mut self) -> Result<(), Break> {
        let states = loop {
            match self.space.initial() {
                Ok(states) => break states,
                Err(halt) => self.settle(&halt)?,
            }
        };
        self.widen();
        let mut sink = Outbox::new(self.space.words());
        for state in &states {
            crate::space::Sink::successor(&mut sink, state);
        }
        self.jobs[0].outbox = sink;
        self.next_layer()
    }

    /// Does what a halt asks for, or ends the search.
    fn settle(&mut self, halt: &Halt) -> Result<(), Break> {
        let need = match halt {
            Halt::Needs(need) => need,
            Halt::Stopped(stopped) => return Err((*stopped).into()),
            Halt::Unsupported(why) => return Err(Trouble::Unsupported(why.clone()).into()),
        };
        let grown = self.space.grow(need).map_err(Trouble::Unsupported)?;
        self.progress.needs.push(need.clone());
        match grown {
            Grown::Whole => Ok(()),
            Grown::Restart => Err(Break::Restart),
        }
    }

    fn widen(&mut self) {
        let words = self.space.words();
        for job in &mut self.jobs {
            job.outbox.widen(words);
        }
    }

    /// States found so far.
    pub(crate) fn states(&self) -> u64 {
        self.progress.layers.iter().map(|l| l.states).sum()
    }

    /// Bytes of the sets in memory, and on the disk.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        let sets = self
            .held
            .iter()
            .chain(self.visited.iter().map(|v| &v.image));
        let memory: u64 = sets.map(|image| image.resident()).sum();
        let layers = self.progress.layers.iter();
        let united = self.visited.iter().filter(|v| v.first != v.last);
        let more = united.map(|v| &v.image.entry);
        (memory, layers.chain(more).map(|e| e.bytes).sum())
    }

    /// A layer by its number.
    pub(crate) fn layer(&self, number: usize) -> Result<Arc<Image>, Trouble> {
        match (&self.folder, self.held.get(number)) {
            (Some(folder), _) => {
                let entry = &self.progress.layers[number];
                Ok(Arc::new(Image::open(folder.path(), entry)?))
            }
            (None, Some(image)) => Ok(Arc::clone(image)),
            (None, None) => Err(Trouble::damaged("memory", "a layer is missing")),
        }
    }

    /// Expands a layer; true if nothing is left to find.
    fn expand(&mut self, layer: &Image) -> Result<bool, Break> {
        let mut batch = Vec::with_capacity(BATCH * self.space.words());
        for place in &layer.places {
            let words = self.space.words();
            let Some(mut cursor) = layer.cursor(place.partition(), words, None)? else {
                continue;
            };
            while cursor.next()? {
                batch.extend_from_slice(&cursor.state);
                if batch.len() >= BATCH * cursor.state.len() {
                    let width = cursor.state.len();
                    if self.expand_batch(&mut batch, width)? {
                        return Ok(true);
                    }
                    cursor.widen(self.space.words());
                }
            }
        }
        let width = self.space.words();
        self.expand_batch(&mut batch, width)
    }

    /// Expands the states of a batch, and empties it; true if nothing is left to find.
    fn expand_batch(&mut self, batch: &mut Vec<u64>, width: usize) -> Result<bool, Break> {
        let mut width = width;
        let count = batch.len() / width;
        let runs = (0..count).step_by(RUN).map(|first| {
            Mutex::new(Run {
                next: first,
                end: (first + RUN).min(count),
                steps: 0,
                halt: None,
                wrong: Vec::new(),
            })
        });
        let mut runs: Vec<Mutex<Run>> = runs.collect();
        loop {
            self.expand_runs(batch, width, &runs);
            for job in &mut self.jobs {
                self.space.note(&mut job.worker);
            }
            let Some(halt) = first_halt(&mut runs) else {
                break;
            };
            self.settle(&halt)?;
            self.widen();
            if self.space.words() != width {
                rows::widen(batch, width, self.space.words());
                width = self.space.words();
            }
        }
        let mut wrong = Vec::new();
        for run in runs {
            let run = run.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.progress.transitions += run.steps;
            wrong.extend(run.wrong);
        }
        self.progress.expanded += count as u64;
        let mut enough = false;
        for (place, claim) in wrong {
            enough |= self.find(claim, &batch[place * width..][..width]);
        }
        batch.clear();
        self.tell();
        if !enough {
            self.make_room()?;
        }
        Ok(enough)
    }

    fn tell(&self) {
        self.cx.emit(Event::Explored {
            states: self.states(),
            transitions: self.progress.transitions,
        });
        let layers: Vec<u64> = self.progress.layers.iter().map(|l| l.states).collect();
        let expanded = self.progress.expanded - self.ended.expanded;
        let text = progress::round(&layers, expanded, self.bytes().1);
        self.cx.emit(Event::Phase(text));
    }

    fn expand_runs(&mut self, batch: &[u64], width: usize, runs: &[Mutex<Run>]) {
        let (space, cx, states) = (&*self.space, self.cx, self.states());
        let given = AtomicUsize::new(0);
        let used = match batch.len() < SMALL {
            true => 1,
            false => self.jobs.len(),
        };
        on_threads(&mut self.jobs[..used], |job| {
            while let Some(run) = runs.get(given.fetch_add(1, Ordering::Relaxed)) {
                let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
                run.expand(space, job, batch, width, states, cx);
            }
        });
    }

    /// Notes a violation; true if nothing is left to find.
    fn find(&mut self, claim: usize, state: &[u64]) -> bool {
        let findings = &mut self.progress.findings;
        if !findings.iter().any(|f| f.claim == claim) {
            findings.push(Finding {
                claim,
                layer: self.progress.layers.len() - 1,
                state: state.to_vec(),
            });
        }
        let all = findings.len() >= self.space.claims();
        (all || self.rounds.first) && !self.rounds.exhaust
    }

    /// Writes successors out, if there are too many in memory.
    fn make_room(&mut self) -> Result<(), Break> {
        let held = self.held_words() as u64 * 8;
        // Vectors grow by doubling, and threads take what they need until they are asked again.
        let short = self.cx.reserve(held / 2).is_err();
        if held <= self.rounds.buffer / 2 && !short {
            return Ok(());
        }
        if short && held < 1 << 20 {
            return Err(Stopped::Memory.into());
        }
        let path = self.path(&folder::run_name(self.runs.len()));
        let maker = self.maker();
        let run = maker.write(
            path.as_deref(),
            |partition| take(&mut self.jobs, partition),
            |_, rows| Ok(maker.encode(&maker.sorted(rows))),
        )?;
        self.runs.push(run);
        Ok(())
    }

    fn held_words(&self) -> usize {
        self.jobs.iter().map(|job| job.outbox.held).sum()
    }

    fn maker(&self) -> Maker<'a> {
        let small = self.held_words() < SMALL && self.runs.is_empty();
        Maker {
            threads: if small { 1 } else { self.rounds.threads.max(1) },
            words: self.space.words(),
            cx: self.cx,
        }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join(name))
    }

    /// Makes the next layer of what was found and is new.
    fn next_layer(&mut self) -> Result<(), Break> {
        let number = self.progress.layers.len();
        let maker = self.maker();
        let path = self.path(&folder::layer_name(number));
        let (runs, visited) = (&self.runs, &self.visited);
        let image = maker.write(
            path.as_deref(),
            |partition| take(&mut self.jobs, partition),
            |partition, rows| {
                let mut rows = match runs.is_empty() {
                    true => rows,
                    false => vec![rows.concat()],
                };
                for run in runs {
                    maker.append(run, partition, &mut rows[0])?;
                }
                let mut rows = maker.sorted(rows);
                for old in visited {
                    maker.subtract(&old.image, partition, &mut rows)?;
                }
                Ok(maker.encode(&rows))
            },
        )?;
        self.remove_runs()?;
        if image.entry.states == 0 {
            (self.progress.done, self.progress.complete) = (true, true);
            if let Some(folder) = &self.folder {
                folder.remove(&image.entry.name)?;
            }
            return Ok(());
        }
        let image = Arc::new(image);
        self.progress.layers.push(image.entry.clone());
        self.add_visited(number, number, &image);
        if self.folder.is_none() {
            self.held.push(image);
        }
        Ok(())
    }

    fn remove_runs(&mut self) -> Result<(), Trouble> {
        for run in self.runs.drain(..) {
            if let Some(folder) = &self.folder {
                folder.remove(&run.entry.name)?;
            }
        }
        Ok(())
    }

    fn add_visited(&mut self, first: usize, last: usize, image: &Arc<Image>) {
        self.progress.visited.push(image.entry.clone());
        self.unsynced.push(image.entry.name.clone());
        self.visited.push(Visited {
            first,
            last,
            image: Arc::clone(image),
        });
    }

    /// Unites sets, where there are many of one size.
    fn tidy(&mut self) -> Result<(), Break> {
        while let Some(from) = self.to_unite() {
            let sets = &self.visited[from..];
            let images: Vec<Arc<Image>> = sets.iter().map(|s| Arc::clone(&s.image)).collect();
            let (first, last) = (sets[0].first, sets[sets.len() - 1].last);
            let path = self.path(&folder::visited_name(first, last));
            let large = images.iter().map(|i| i.entry.states).sum::<u64>() > SMALL as u64;
            let maker = Maker {
                threads: if large { self.rounds.threads.max(1) } else { 1 },
                ..self.maker()
            };
            let united = Arc::new(maker.unite(path.as_deref(), &images)?);
            for set in self.visited.drain(from..) {
                if set.first != set.last {
                    self.garbage.push(set.image.entry.name.clone());
                    self.unsynced.retain(|name| *name != set.image.entry.name);
                }
            }
            self.progress.visited.truncate(from);
            self.add_visited(first, last, &united);
        }
        Ok(())
    }

    /// From which set on sets are to be united.
    fn to_unite(&self) -> Option<usize> {
        let tier = |v: &Visited| v.image.entry.states.max(1 << 9).ilog2() / 3;
        let last = tier(self.visited.last()?);
        let larger = self.visited.iter().rposition(|v| tier(v) > last);
        let from = larger.map_or(0, |at| at + 1);
        (self.visited.len() - from >= FAN_IN).then_some(from)
    }

    /// Saves how far the search is.
    fn save(&mut self) -> Result<(), Trouble> {
        self.progress.memo = self.space.memo();
        self.write_manifest()
    }

    fn write_manifest(&mut self) -> Result<(), Trouble> {
        let Some(folder) = &self.folder else {
            self.unsynced.clear();
            return Ok(());
        };
        self.lost = true;
        for name in self.unsynced.drain(..) {
            Image::sync(folder.path(), &name)?;
        }
        self.lost = false;
        folder.commit(&self.progress)?;
        self.saved = self.progress.expanded;
        for name in self.garbage.drain(..) {
            folder.remove(&name)?;
        }
        Ok(())
    }

    /// Finds a run to a violation: for each state one of the layer before that has it as a successor.
    pub(crate) fn path_to(&mut self, finding: &Finding) -> Result<Vec<Vec<u64>>, Trouble> {
        let mut path = vec![finding.state.clone()];
        for number in (0..finding.layer).rev() {
            let layer = self.layer(number)?;
            let state = self.predecessor(&layer, &path[path.len() - 1])?;
            path.push(state);
        }
        path.reverse();
        Ok(path)
    }

    fn predecessor(&mut self, layer: &Image, goal: &[u64]) -> Result<Vec<u64>, Trouble> {
        let words = self.space.words();
        let mut goal = goal.to_vec();
        goal.resize(words, 0);
        let mut batch = Vec::new();
        for partition in 0..PARTITIONS {
            if let Some(mut cursor) = layer.cursor(partition, words, None)? {
                while cursor.next()? {
                    batch.extend_from_slice(&cursor.state);
                    if batch.len() >= BATCH * words {
                        if let Some(found) = self.leads_to(&batch, &goal)? {
                            return Ok(found);
                        }
                        batch.clear();
                    }
                }
            }
        }
        let found = self.leads_to(&batch, &goal)?;
        found.ok_or_else(|| Trouble::damaged(&layer.entry.name, "no state leads to the next layer"))
    }

    /// The first state of a batch that has that successor.
    fn leads_to(&mut self, batch: &[u64], goal: &[u64]) -> Result<Option<Vec<u64>>, Trouble> {
        let words = goal.len();
        let count = batch.len() / words;
        let (space, cx) = (&*self.space, self.cx);
        let (given, found) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let failed = Mutex::new(None);
        on_threads(&mut self.jobs, |job| {
            loop {
                let first = given.fetch_add(RUN, Ordering::Relaxed);
                if first >= count || first > found.load(Ordering::Relaxed) {
                    return;
                }
                for at in first..(first + RUN).min(count) {
                    let mut seeker = Seeker { goal, found: false };
                    let state = &batch[at * words..][..words];
                    let done = space.expand(&mut job.worker, state, &mut seeker);
                    let asked = match at.is_multiple_of(ASK_EVERY) {
                        true => cx.check().map_err(Halt::Stopped),
                        false => Ok(()),
                    };
                    if let Err(halt) = done.and(asked) {
                        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                        failed.get_or_insert(halt);
                        return;
                    }
                    if seeker.found {
                        found.fetch_min(at, Ordering::Relaxed);
                        break;
                    }
                }
            }
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Halt::Stopped(stopped)) => return Err(stopped.into()),
            Some(_) => {
                return Err(Trouble::Unsupported(
                    "a state is expanded otherwise".to_owned(),
                ));
            }
            None => {}
        }
        let at = found.into_inner();
        Ok(batch
            .get(at.saturating_mul(words)..)
            .filter(|_| at < count)
            .map(|s| s[..words].to_vec()))
    }
}

/// Looks for one successor.
struct Seeker<'a> {
    goal: &'a [u64],
    found: bool,
}

impl crate::space::Sink for Seeker<'_> {
    fn successor(&mut self, state: &[u64]) {
        let (same, rest) = self.goal.split_at(state.len().min(self.goal.len()));
        self.found |= same == state && rest.iter().all(|w| *w == 0);
    }

    fn wrong(&mut self, _: usize) {}
}

impl Run {
    fn expand<S: Space>(
        &mut self,
        space: &S,
        job: &mut Job<S::Worker>,
        batch: &[u64],
        width: usize,
        states: u64,
        cx: &Context,
    ) {
        while self.next < self.end && self.halt.is_none() {
            if self.next.is_multiple_of(ASK_EVERY)
                && let Err(stopped) = cx.check_states(states)
            {
                self.halt = Some(Halt::Stopped(stopped));
                return;
            }
            let state = &batch[self.next * width..][..width];
            let outbox = &mut job.outbox;
            (outbox.steps, outbox.wrong) = (0, Vec::new());
            match space.expand(&mut job.worker, state, outbox) {
                Err(halt) => self.halt = Some(halt),
                Ok(()) => {
                    self.steps += outbox.steps;
                    self.wrong
                        .extend(outbox.wrong.iter().map(|c| (self.next, *c)));
                    self.next += 1;
                }
            }
        }
    }
}

/// The halt of the first state that has one; all are forgotten.
fn first_halt(runs: &mut [Mutex<Run>]) -> Option<Halt> {
    let mut first = None;
    for run in runs {
        let run = run.get_mut().unwrap_or_else(PoisonError::into_inner);
        let halt = run.halt.take();
        // A request to stop comes at any state.
        if first.is_none() || matches!(halt, Some(Halt::Stopped(_))) {
            first = halt.or(first);
        }
    }
    first
}

fn take<W>(jobs: &mut [Job<W>], partition: usize) -> Vec<Vec<u64>> {
    let outboxes = jobs.iter_mut().map(|job| &mut job.outbox);
    outboxes.map(|outbox| outbox.take(partition)).collect()
}

/// The last of the layers that a set consists of, which begins with that one.
fn covered(layers: &[Entry], first: usize, set: &Entry) -> Option<usize> {
    let mut states = 0u64;
    for (number, layer) in layers.iter().enumerate().skip(first) {
        states = states.checked_add(layer.states)?;
        if states >= set.states {
            return (states == set.states).then_some(number);
        }
    }
    None
}
