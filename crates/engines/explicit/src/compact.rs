//! Breadth-first search that keeps hashes instead of states.
//!
//! A state whose hash equals that of another state is taken for it and missed, with all states reachable only through it.
//! With `n` states and hashes of `b` bits that happens with a probability of at most `n * n / 2^(b+1)`, if
//! hashes are as good as random numbers. What is found wrong is wrong: the run is done again from the
//! start. Of each state two numbers remain, from which state it came and as which of its successors.

use crate::expand::{Expander, Halt};
use crate::finding::{End, Finding, Findings};
use crate::machine::Machine;
use crate::{ExplicitOptions, SearchResult, SearchVerdict};
use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::program::run::TraceStep;
use suppose_model::program::{Question, Trace};

/// The hashes of what was found. 0 is a free place.
struct Seen {
    table: Vec<u64>,
    count: usize,
    mask: u64,
}

impl Seen {
    fn new(bits: u32) -> Seen {
        Seen {
            table: vec![0; 1 << 10],
            count: 0,
            mask: u64::MAX >> (64 - bits.clamp(16, 64)),
        }
    }

    fn key(&self, hash: u64) -> u64 {
        (hash & self.mask).max(1)
    }

    fn place(table: &[u64], key: u64) -> usize {
        let mask = table.len() - 1;
        // Few bits are kept, perhaps, but all of them decide on the place.
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while table[at] != 0 && table[at] != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// True if it was not there.
    fn insert(&mut self, hash: u64, cx: &Context) -> Result<bool, Stopped> {
        if self.count * 4 >= self.table.len() * 3 {
            cx.reserve(self.table.len() as u64 * 16)?;
            let mut table = vec![0; self.table.len() * 2];
            for key in self.table.iter().filter(|k| **k != 0) {
                let at = Self::place(&table, *key);
                table[at] = *key;
            }
            self.table = table;
        }
        let key = self.key(hash);
        let at = Self::place(&self.table, key);
        let new = self.table[at] == 0;
        self.table[at] = key;
        self.count += usize::from(new);
        Ok(new)
    }
}

struct Compact<'a, 'p> {
    machine: &'a mut Machine<'p>,
    options: &'a ExplicitOptions,
    cx: &'a Context,
    expander: Expander,
    seen: Seen,
    /// The records of the level being expanded, and of the next one.
    level: Vec<u64>,
    next: Vec<u64>,
    /// For each state, from which one it came, and the number of the successor there.
    origins: Vec<(u32, u32)>,
    findings: Findings,
    transitions: u64,
    depth: u64,
    state: Vec<u64>,
}

/// Explores for questions without a claim on states.
pub(crate) fn explore(
    machine: &mut Machine,
    first: &[u64],
    group: &[Question],
    options: &ExplicitOptions,
    bits: u32,
    cx: &Context,
) -> Result<SearchResult, End> {
    let mut search = Compact {
        machine,
        options,
        cx,
        expander: Expander::new(false),
        seen: Seen::new(bits),
        level: Vec::new(),
        next: Vec::new(),
        origins: Vec::new(),
        findings: Findings::new(group),
        transitions: 0,
        depth: 0,
        state: Vec::new(),
    };
    let (complete, stopped) = match search.run(first) {
        Ok(complete) => (complete, None),
        Err(End::Stopped(stopped)) => (false, Some(stopped)),
        Err(unsupported) => return Err(unsupported),
    };
    let states = search.origins.len() as u64;
    let missed = (states as f64).powi(2) / 2f64.powi(bits.clamp(16, 64) as i32 + 1);
    // Runs are rebuilt with another expander.
    let cut = search.expander.cut;
    let mut found = Vec::new();
    for question in group {
        let finding = search.findings.of(*question);
        let answer = match (finding.copied(), stopped) {
            (Some(finding), _) => search.rebuild(first, finding),
            (None, Some(stopped)) => SearchVerdict::Unknown(stopped.into()),
            (None, None) if !complete && options.first => {
                SearchVerdict::Unknown(crate::not_first())
            }
            (None, None) if cut => SearchVerdict::Unknown(crate::too_long()),
            (None, None) => SearchVerdict::Likely(missed.min(1.0)),
        };
        found.push((*question, answer));
    }
    Ok(SearchResult {
        symmetry: None,
        threads: 1,
        states,
        transitions: search.transitions,
        depth: search.depth,
        memory: (search.seen.table.len() + search.origins.capacity()) as u64 * 8,
        complete: complete && !cut,
        found,
    })
}

impl Compact<'_, '_> {
    /// True when all was looked at.
    fn run(&mut self, first: &[u64]) -> Result<bool, End> {
        let record = &first[self.machine.hidden..];
        self.seen.insert(crate::store::hash(record), self.cx)?;
        self.next.extend_from_slice(record);
        self.origins.push((u32::MAX, 0));
        let mut number = 0;
        while !self.next.is_empty() {
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            let mut at = 0;
            while at < self.level.len() {
                at += self.load(at);
                self.expand(number)?;
                number += 1;
                if self.findings.is_enough(self.options) {
                    return Ok(false);
                }
                if number.is_multiple_of(128) {
                    self.pause(number)?;
                }
            }
            self.depth += u64::from(!self.next.is_empty());
        }
        Ok(true)
    }

    fn pause(&self, number: u32) -> Result<(), End> {
        let states = self.origins.len() as u64;
        self.cx.check_states(states)?;
        let large = (self.level.len() + self.next.len()).max(self.origins.len()) as u64;
        self.cx.reserve(large)?;
        if number.is_multiple_of(1 << 15) {
            let transitions = self.transitions;
            self.cx.emit(Event::Explored {
                states,
                transitions,
            });
        }
        Ok(())
    }

    /// Brings a record of the level into [`Compact::state`]; its length.
    fn load(&mut self, at: usize) -> usize {
        let config = (self.level[at] >> 32) as usize;
        let words = self.machine.configs[config].words;
        let len = words - self.machine.hidden;
        self.state.clear();
        self.state.resize(self.machine.hidden, 0);
        self.state.extend_from_slice(&self.level[at..at + len]);
        len
    }

    fn expand(&mut self, number: u32) -> Result<(), End> {
        let any = loop {
            match self.successors() {
                Ok(any) => break any,
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    self.machine.make(&need).map_err(End::Unsupported)?;
                }
            }
        };
        for at in 0..self.expander.wrong.len() {
            let (violation, _) = self.expander.wrong[at];
            self.findings
                .add(self.machine.blame(violation), violation, number);
        }
        if !any && let Some(violation) = self.machine.stopped(&self.state) {
            self.findings
                .add(self.machine.blame(violation), violation, number);
        }
        self.transitions += self.expander.items.len() as u64;
        for (place, item) in self.expander.items.iter().enumerate() {
            if self.seen.insert(item.hash, self.cx)? {
                if self.origins.len() >= u32::MAX as usize {
                    return Err(End::Stopped(Stopped::Memory));
                }
                self.origins.push((number, place as u32));
                let record = &self.expander.words[item.start as usize..item.end as usize];
                self.next.extend_from_slice(record);
            }
        }
        Ok(())
    }

    /// Fills the expander; whether there is any step. All processes are followed: when a run is rebuilt, successors must
    /// come in the same order, and which process could be followed alone depends on what was found before.
    fn successors(&mut self) -> Result<bool, Halt> {
        self.expander.clear();
        self.expander.all(self.machine, &self.state, self.cx)
    }

    fn rebuild(&mut self, first: &[u64], goal: Finding) -> SearchVerdict {
        let mut places = Vec::new();
        let mut at = goal.state;
        while let Some((from, place)) = self.origins.get(at as usize)
            && *from != u32::MAX
        {
            places.push(*place);
            at = *from;
        }
        self.expander = Expander::new(true);
        self.state = first.to_vec();
        let mut steps: Vec<TraceStep> = Vec::new();
        let lost = || SearchVerdict::Unknown(Reason::Internal("a step is lost".to_owned()));
        for place in places.iter().rev() {
            if let Err(halt) = self.successors() {
                return halted(halt);
            }
            let Some(item) = self.expander.items.get(*place as usize).copied() else {
                return lost();
            };
            steps.extend(self.expander.steps_to(item.node));
            self.state.clear();
            self.state.resize(self.machine.hidden, 0);
            let record = &self.expander.words[item.start as usize..item.end as usize];
            self.state.extend_from_slice(record);
        }
        if !goal.violation.is_stop() {
            if let Err(halt) = self.successors() {
                return halted(halt);
            }
            let wrong = self.expander.wrong.iter();
            let Some((_, node)) = wrong.clone().find(|(v, _)| *v == goal.violation) else {
                return lost();
            };
            steps.extend(self.expander.steps_to(*node));
        }
        SearchVerdict::Violated(Trace {
            question: goal.question,
            steps,
            claim: Vec::new(),
            violation: goal.violation,
            cycle: None,
        })
    }
}

fn halted(halt: Halt) -> SearchVerdict {
    match halt {
        Halt::Stopped(stopped) => SearchVerdict::Unknown(stopped.into()),
        // Every configuration on the way was made during the search.
        Halt::Needs(_) => {
            SearchVerdict::Unknown(Reason::Internal("a configuration is lost".to_owned()))
        }
    }
}
