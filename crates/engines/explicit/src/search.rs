//! Breadth-first and depth-first search over the stored states.

use crate::expand::{Expander, Halt};
use crate::finding::{End, Findings, settle, unpack};
use crate::machine::{self, Exclusive, Machine};
use crate::store::{CLOSED, NONE, STUTTER, Store};
use crate::symmetry::{Exchange, Orbits};
use crate::trace;
use crate::{ExplicitOptions, Found, Order, SearchResult};
use suppose_control::{Context, Event, Stopped};
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, Violation};

struct Search<'a, 'p> {
    machine: Machine<'p>,
    store: Store,
    expander: Expander,
    options: &'a ExplicitOptions,
    cx: &'a Context,
    findings: Findings,
    transitions: u64,
    depth: u64,
    complete: bool,
    state: Vec<u64>,
    successor: Vec<u64>,
    claim_moves: Vec<(u32, u32)>,
    fresh: Vec<u32>,
    exchange: Option<&'a Exchange<'a>>,
    orbits: Option<Orbits>,
}

/// Explores for questions that share an exploration.
pub(crate) fn explore(
    program: &Program,
    initial: &State,
    group: &[Question],
    options: &ExplicitOptions,
    exchange: Option<&Exchange>,
    cx: &Context,
) -> Result<SearchResult, End> {
    let claim = match group[0] {
        Question::Claim(number) => Some(number),
        _ => None,
    };
    let compiled = machine::CompileOptions {
        claim,
        reduction: options.reduction,
        merge: options.merge,
        past_assertions: options.past_assertions || group.contains(&Question::EndStates),
        ..machine::CompileOptions::default()
    };
    let searched = (group, compiled, exchange);
    settle(|users| attempt_at(program, initial, searched, users, options, cx))
}

/// Explores with what is known of the users of channels; says what is known then, if that was wrong.
fn attempt_at(
    program: &Program,
    initial: &State,
    (group, compiled, exchange): (&[Question], machine::CompileOptions, Option<&Exchange>),
    users: Option<&Exclusive>,
    options: &ExplicitOptions,
    cx: &Context,
) -> Result<SearchResult, (End, Exclusive)> {
    let nothing = |end: End| (end, Exclusive::default());
    let unsupported = |why: String| nothing(End::Unsupported(why));
    let mut machine = Machine::new(program, initial, compiled).map_err(unsupported)?;
    if let Some(users) = users {
        machine.exclusive.learn(users);
    }
    let first = machine.initial(initial).map_err(unsupported)?;
    if let (Some(bits), None) = (options.compaction, &machine.claim) {
        let found = crate::compact::explore(&mut machine, &first, group, options, bits, cx);
        return found.map_err(nothing);
    }
    let mut search = Search {
        machine,
        store: Store::new(),
        expander: Expander::new(false),
        options,
        cx,
        findings: Findings::new(group),
        transitions: 0,
        depth: 0,
        complete: false,
        state: Vec::new(),
        successor: Vec::new(),
        claim_moves: Vec::new(),
        fresh: Vec::new(),
        exchange,
        orbits: exchange.map(Orbits::new),
    };
    let stopped = match search.run(&first) {
        Ok(()) => None,
        Err(End::Stopped(stopped)) => Some(stopped),
        Err(other) => return Err((other, search.machine.exclusive)),
    };
    search.outcome(group, stopped).map_err(nothing)
}

impl Search<'_, '_> {
    fn run(&mut self, first: &[u64]) -> Result<(), End> {
        let record = &first[self.machine.hidden..];
        let hash = crate::store::hash(record);
        self.store.insert(record, hash, NONE, 0)?;
        self.complete = match self.options.order {
            Order::Breadth => self.breadth(),
            Order::Depth | Order::DepthLast => self.depth(),
        }?;
        Ok(())
    }

    fn breadth(&mut self) -> Result<bool, End> {
        let mut at = 0;
        let mut level = 1;
        let mut count = 0u64;
        while let Some(id) = self.store.seek(at) {
            if id >= level {
                self.depth += 1;
                level = self.store.next();
            }
            at = id + self.load(id);
            self.expand(id)?;
            count += 1;
            if self.pause(count)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn depth(&mut self) -> Result<bool, End> {
        let mut stack = vec![0];
        let mut count = 0u64;
        while let Some(id) = stack.pop() {
            self.load(id);
            self.store.set_flag(id, CLOSED);
            self.expand(id)?;
            match self.options.order {
                Order::DepthLast => stack.extend(&self.fresh),
                _ => stack.extend(self.fresh.iter().rev()),
            }
            self.depth = self.depth.max(stack.len() as u64);
            count += 1;
            if self.pause(count)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks at limits from time to time; true when nothing is left to find.
    fn pause(&mut self, count: u64) -> Result<bool, End> {
        if self.findings.is_enough(self.options) {
            return Ok(true);
        }
        if count.is_multiple_of(128) {
            let states = self.store.len() as u64;
            self.cx.check_states(states)?;
            if count.is_multiple_of(1 << 15) {
                let transitions = self.transitions;
                self.cx.emit(Event::Explored {
                    states,
                    transitions,
                });
            }
        }
        Ok(false)
    }

    /// Brings a stored state into [`Search::state`]; the length of its record.
    fn load(&mut self, id: u32) -> u32 {
        unpack(&self.machine, &self.store, id, &mut self.state)
    }

    /// Expands [`Search::state`], which has that number.
    fn expand(&mut self, id: u32) -> Result<(), End> {
        self.fresh.clear();
        let any = loop {
            match self.successors(id) {
                Ok(any) => break any,
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    self.machine.make(&need).map_err(End::Unsupported)?;
                    if self.machine.exclusive.is_lost() {
                        return Err(End::Again);
                    }
                }
            }
        };
        for number in 0..self.expander.wrong.len() {
            let (violation, _) = self.expander.wrong[number];
            self.findings
                .add(self.machine.blame(violation), violation, id);
        }
        match self.machine.claim.is_some() {
            false => {
                if !any {
                    self.stops(id);
                }
                self.add_all(id)
            }
            true => self.add_with_claim(id, any),
        }
    }

    /// Fills the expander; whether there is any step.
    fn successors(&mut self, id: u32) -> Result<bool, Halt> {
        if self.options.reduction && self.reduced(id)? {
            return Ok(true);
        }
        self.expander.clear();
        let any = self.expander.all(&self.machine, &self.state, self.cx)?;
        self.represent();
        Ok(any)
    }

    /// Replaces successors by representatives of their orbits, if processes can be exchanged.
    fn represent(&mut self) {
        if let Some(orbits) = &mut self.orbits {
            orbits.represent(&self.machine, &mut self.expander);
        }
    }

    /// Tries to follow one process only. That is sound when no other process can notice or hinder its
    /// steps, and when one of them leads to a state that is not yet expanded: else a loop could put the
    /// others off for ever.
    fn reduced(&mut self, id: u32) -> Result<bool, Halt> {
        let mut first = 0;
        while let Some((one, messages)) =
            self.expander
                .alone(&self.machine, &self.state, first, self.cx)?
        {
            self.represent();
            if self.leads_on(id) {
                if messages {
                    self.machine.exclusive.rely();
                }
                return Ok(true);
            }
            first = one + 1;
        }
        Ok(false)
    }

    /// Is some successor not expanded yet?
    fn leads_on(&self, id: u32) -> bool {
        let breadth = self.options.order == Order::Breadth;
        self.expander.items.iter().any(|item| {
            let record = &self.expander.words[item.start as usize..item.end as usize];
            match self.store.find(record, item.hash) {
                None => true,
                Some(there) if breadth => there > id,
                Some(there) => self.store.head(there) & CLOSED == 0,
            }
        })
    }

    /// The system stops here: may it?
    fn stops(&mut self, id: u32) {
        if let Some(violation) = self.machine.stopped(&self.state) {
            self.findings
                .add(self.machine.blame(violation), violation, id);
        }
    }

    fn make_room(&mut self, more: usize) -> Result<(), End> {
        while let Some(bytes) = self.store.growth(more) {
            self.cx.reserve(bytes)?;
            self.store.grow();
        }
        Ok(())
    }

    fn add_all(&mut self, id: u32) -> Result<(), End> {
        let items = &self.expander.items;
        let count = items.len();
        self.transitions += count as u64;
        if self.store.growth(count).is_some() {
            self.make_room(count)?;
        }
        let items = &self.expander.items;
        let mut touched = 0;
        for item in items {
            touched ^= self.store.touch(item.hash);
        }
        std::hint::black_box(touched);
        for item in items {
            let record = &self.expander.words[item.start as usize..item.end as usize];
            let (there, new) = self.store.insert(record, item.hash, id, 0)?;
            if new {
                self.fresh.push(there);
            }
        }
        Ok(())
    }

    /// Adds the successors with each move of the claim. SPIN's way of counting is kept: where the system
    /// stops, the claim moves once in its turn and once more in place of the system.
    fn add_with_claim(&mut self, id: u32, any: bool) -> Result<(), End> {
        let Some(claim) = &self.machine.claim else {
            return Ok(());
        };
        let (field, end) = (claim.at, claim.end);
        let at = field.get(&self.state) as u32;
        let alone = self.store.head(id) & STUTTER != 0;
        let mut moves = std::mem::take(&mut self.claim_moves);
        moves.clear();
        if alone {
            moves.push((NONE, at));
        } else {
            let wrong = trace::claim_moves(&self.machine, &self.state, at, self.cx, &mut moves);
            wrong.into_iter().for_each(|w| self.claim_violated(id, w));
        }
        for (_, target) in &moves {
            if !alone && *target == end {
                self.claim_violated(id, Violation::Claim);
                continue;
            }
            if any {
                self.add_under(id, *target)?;
            } else {
                let mut more = Vec::new();
                let (machine, state) = (&self.machine, &self.state);
                let wrong = trace::claim_moves(machine, state, *target, self.cx, &mut more);
                wrong.into_iter().for_each(|w| self.claim_violated(id, w));
                for (_, last) in more {
                    if last == end {
                        self.claim_violated(id, Violation::Claim);
                    } else {
                        self.add_still(id, last)?;
                    }
                }
            }
        }
        self.claim_moves = moves;
        Ok(())
    }

    fn claim_violated(&mut self, id: u32, violation: Violation) {
        let number = self.machine.options.claim.unwrap_or_default();
        self.findings.add(Question::Claim(number), violation, id);
    }

    fn add_under(&mut self, id: u32, target: u32) -> Result<(), End> {
        let count = self.expander.items.len();
        self.transitions += count as u64;
        self.make_room(count)?;
        for number in 0..count {
            let expander = &self.expander;
            expander.fill(&self.machine, number, Some(target), &mut self.successor);
            self.add_successor(id, 0)?;
        }
        Ok(())
    }

    /// The system stands still and the claim moves.
    fn add_still(&mut self, id: u32, target: u32) -> Result<(), End> {
        let Some(field) = self.machine.claim.as_ref().map(|c| c.at) else {
            return Ok(());
        };
        self.transitions += 1;
        self.make_room(1)?;
        self.successor.clone_from(&self.state);
        field.set(&mut self.successor, target as i32);
        self.add_successor(id, STUTTER)
    }

    fn add_successor(&mut self, id: u32, flags: u64) -> Result<(), End> {
        let record = &self.successor[self.machine.hidden..];
        let hash = crate::store::hash(record);
        let (there, new) = self.store.insert(record, hash, id, flags)?;
        if new {
            self.fresh.push(there);
        }
        Ok(())
    }

    fn outcome(
        mut self,
        group: &[Question],
        stopped: Option<Stopped>,
    ) -> Result<SearchResult, End> {
        let mut found = Vec::new();
        for question in group {
            let finding = self.findings.of(*question);
            let answer = match (finding, stopped) {
                (Some(finding), _) => {
                    let goal = *finding;
                    trace::rebuild(&mut self.machine, &self.store, goal, self.exchange, self.cx)
                }
                (None, Some(stopped)) => Found::Unknown(stopped.into()),
                (None, None) if !self.complete && self.options.first => {
                    Found::Unknown(crate::not_first())
                }
                (None, None) if self.expander.cut => Found::Unknown(crate::too_long()),
                (None, None) => Found::Holds,
            };
            found.push((*question, answer));
        }
        Ok(SearchResult {
            symmetry: None,
            states: self.store.len() as u64,
            transitions: self.transitions,
            depth: self.depth,
            memory: self.store.bytes(),
            complete: self.complete && !self.expander.cut,
            found,
        })
    }
}
