//! The states of a program without any reduction, as evidence that nothing is wrong in any of them.
//!
//! They are found by the compiled program where it can be compiled, and are rows of the program's own variables then. Whoever checks
//! the evidence looks for what a step leads to among them, so it does not matter here what is wrong in a state.

use crate::expand::{Expander, Halt};
use crate::finding::{End, unpack};
use crate::machine::op::Cell;
use crate::machine::{self, Machine};
use crate::store::{NONE, Store, hash};
use crate::trace::claim_moves;
use crate::walker::{ASK_EVERY, make_room};
use rustc_hash::FxHashSet;
use suppose_control::{Context, Event, Stopped};
use suppose_model::program::semantics::State;
use suppose_model::program::visited::{Records, pack, pack_number, unpack as unpack_state};
use suppose_model::program::{Claim, Program, Question, StepResult};

/// Why there is no list of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitedEnd {
    /// A `d_step` is too long to be followed.
    TooLong,
    /// A limit.
    Stopped(Stopped),
}

impl From<Stopped> for VisitedEnd {
    fn from(stopped: Stopped) -> VisitedEnd {
        VisitedEnd::Stopped(stopped)
    }
}

/// Lists all states, with the places of the claim that the question is about, if it is about one. A program that cannot start has none.
pub fn visited(program: &Program, question: Question, cx: &Context) -> Result<Records, VisitedEnd> {
    let Ok(initial) = State::at_start(program, question) else {
        return Ok(Records::default());
    };
    let claim = match question {
        Question::Claim(number) => program.claims.get(number).filter(|c| c.events.is_none()),
        _ => None,
    };
    let (states, cut) = match compiled(program, &initial, question, cx) {
        Ok(listed) => listed,
        Err(End::Unsupported(_) | End::Again) => plainly(program, initial, claim, question, cx)?,
        Err(End::Stopped(stopped)) => return Err(stopped.into()),
    };
    match cut {
        true => Err(VisitedEnd::TooLong),
        false => Ok(states),
    }
}

/// The states, and whether a step was not followed to its end.
type Listed = (Records, bool);

fn compiled(
    program: &Program,
    initial: &State,
    question: Question,
    cx: &Context,
) -> Result<Listed, End> {
    let claim = match question {
        Question::Claim(number) => Some(number),
        _ => None,
    };
    let options = machine::CompileOptions {
        claim,
        past_assertions: question == Question::EndStates,
        ..machine::CompileOptions::default()
    };
    let mut machine = Machine::new(program, initial, options).map_err(End::Unsupported)?;
    let first = machine.initial(initial).map_err(End::Unsupported)?;
    let mut listing = Listing {
        machine,
        store: Store::new(),
        expander: Expander::new(false),
        state: Vec::new(),
        successor: Vec::new(),
        moves: Vec::new(),
        transitions: 0,
        cx,
    };
    listing.add(&first)?;
    listing.run()?;
    let entry = claim.map_or(0, |number| program.claims[number].entry);
    let mut states = Records::default();
    states.push_with(|row| pack(initial, entry, row));
    listing.list(&mut states)?;
    Ok((states, listing.expander.cut))
}

/// A search of all states that asks nothing.
struct Listing<'a, 'p> {
    machine: Machine<'p>,
    store: Store,
    expander: Expander,
    state: Vec<u64>,
    successor: Vec<u64>,
    moves: Vec<(u32, u32)>,
    transitions: u64,
    cx: &'a Context,
}

impl Listing<'_, '_> {
    fn add(&mut self, state: &[u64]) -> Result<(), End> {
        make_room(&mut self.store, 1, self.cx)?;
        let record = &state[self.machine.hidden..];
        self.store.insert(record, hash(record), NONE, 0)?;
        Ok(())
    }

    fn run(&mut self) -> Result<(), End> {
        let mut at = 0;
        let mut count = 0u64;
        while let Some(id) = self.store.seek(at) {
            at = id + unpack(&self.machine, &self.store, id, &mut self.state);
            self.expand()?;
            count += 1;
            if count.is_multiple_of(ASK_EVERY) {
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
        }
        Ok(())
    }

    fn expand(&mut self) -> Result<(), End> {
        let any = loop {
            self.expander.clear();
            match self.expander.all(&self.machine, &self.state, self.cx) {
                Ok(any) => break any,
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    self.machine.make(&need).map_err(End::Unsupported)?;
                }
            }
        };
        self.moves.clear();
        let field = self.machine.claim.as_ref().map(|claim| claim.at);
        if let Some(field) = field {
            let place = field.get(&self.state) as u32;
            claim_moves(&self.machine, &self.state, place, self.cx, &mut self.moves);
        } else {
            self.moves.push((NONE, NONE));
        }
        for at in 0..self.moves.len() {
            let target = self.moves[at].1;
            let place = field.map(|_| target);
            for number in 0..self.expander.items.len() {
                self.expander
                    .fill(&self.machine, number, place, &mut self.successor);
                self.add_successor()?;
            }
            if let (false, Some(field)) = (any, field) {
                self.successor.clone_from(&self.state);
                field.set(&mut self.successor, target as i32);
                self.add_successor()?;
            }
        }
        Ok(())
    }

    fn add_successor(&mut self) -> Result<(), End> {
        self.transitions += 1;
        let successor = std::mem::take(&mut self.successor);
        let added = self.add(&successor);
        self.successor = successor;
        added
    }

    /// Packs all states but the first, which is there.
    fn list(&mut self, states: &mut Records) -> Result<(), End> {
        let owners: Vec<_> = self
            .machine
            .configs
            .iter()
            .map(|c| self.owners(c))
            .collect();
        let mut at = 0;
        let mut row = Vec::new();
        while let Some(id) = self.store.seek(at) {
            at = id + unpack(&self.machine, &self.store, id, &mut self.state);
            row.clear();
            self.write(&owners, &mut row);
            if id > 0 || row != states.get(0) {
                states.push(&row);
            }
            if states.len().is_multiple_of(1 << 12) {
                self.cx.check()?;
                self.cx.reserve(states.size())?;
            }
        }
        Ok(())
    }

    /// The process that each channel belongs to.
    fn owners(&self, config: &machine::Config) -> Vec<Option<u32>> {
        let mut owners = vec![None; config.channels.len()];
        let mut config = config;
        while let Some(process) = config.processes.len().checked_sub(1) {
            let parent = &self.machine.configs[config.parent as usize];
            let own = parent.channels.len()..config.channels.len();
            owners[own].fill(Some(process as u32));
            config = parent;
        }
        owners
    }

    /// Appends [`Listing::state`] as [`pack`] does.
    fn write(&self, owners: &[Vec<Option<u32>>], row: &mut Vec<u8>) {
        let (machine, state) = (&self.machine, &self.state);
        let config = machine.config(state);
        let owners = &owners[(state[machine.hidden] >> 32) as usize];
        let get = |cell: &Cell| match cell {
            Cell::Field(field) => field.get(state),
            Cell::Always(value) => *value,
        };
        let mut put = |value: i32| pack_number(value, row);
        put(machine.place().map_or(0, |field| field.get(state)));
        put(machine.last.map_or(0, |field| field.get(state)));
        for (cell, slot) in machine.globals.iter().zip(&machine.program.globals) {
            put(if slot.hidden { 0 } else { get(cell) });
        }
        put(config.processes.len() as i32);
        for code in &config.processes {
            let code = &machine.codes[*code as usize];
            put(code.proctype as i32);
            put(code.pc.get(state));
            put(PRIORITY);
            code.cells.iter().for_each(|cell| put(get(cell)));
        }
        put(config.channels.len() as i32);
        for (channel, owner) in config.channels.iter().zip(owners) {
            put(channel.kind as i32);
            put(owner.map_or(0, |owner| owner as i32 + 1));
            let length = channel.len(state);
            put(length as i32);
            for message in 0..length {
                let fields = 0..channel.fields.len();
                fields.for_each(|field| put(channel.field(message, field).get(state)));
            }
        }
    }
}

/// Of every process: programs in which priorities matter are not compiled.
const PRIORITY: i32 = 1;

/// The same by the reference semantics.
fn plainly(
    program: &Program,
    initial: State,
    claim: Option<&Claim>,
    question: Question,
    cx: &Context,
) -> Result<Listed, Stopped> {
    let mut seen = FxHashSet::default();
    let mut states = Records::default();
    let mut cut = false;
    let mut row = Vec::new();
    let mut add = |state: &State, place: u32, states: &mut Records| {
        row.clear();
        pack(state, place, &mut row);
        if seen.insert(row.clone().into_boxed_slice()) {
            states.push(&row);
        }
    };
    add(&initial, claim.map_or(0, |c| c.entry), &mut states);
    let mut next = 0;
    while next < states.len() {
        cx.check_states(states.len() as u64)?;
        let Some((state, at)) = unpack_state(program, question, states.get(next)) else {
            break;
        };
        next += 1;
        let places = match claim {
            None => vec![0],
            Some(claim) => {
                let ways = state.claim_looks(program, claim, at).ways;
                ways.into_iter().map(|(_, target)| target).collect()
            }
        };
        let mut any = false;
        let mut inner_seen = FxHashSet::default();
        let mut inner = vec![state.clone()];
        while let Some(inside) = inner.pop() {
            cx.check_states((states.len() + inner_seen.len()) as u64)?;
            for step in inside.moves(program) {
                any = true;
                match step.outcome {
                    StepResult::State(next) if next.alone.is_some() => {
                        if inner_seen.insert(next.clone()) {
                            inner.push(next);
                        }
                    }
                    StepResult::State(next) => {
                        places
                            .iter()
                            .for_each(|place| add(&next, *place, &mut states));
                    }
                    StepResult::Unfinished => cut = true,
                    StepResult::Wrong(_) => {}
                }
            }
        }
        if !any && claim.is_some() {
            places
                .iter()
                .for_each(|place| add(&state, *place, &mut states));
        }
    }
    Ok((states, cut))
}
