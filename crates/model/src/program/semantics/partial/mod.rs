//! Steps of a program of which only some processes are known.
//!
//! A state is split into a shared state and the local states of its places ([`crate::program::views`]). Here a step is computed
//! from the shared state and the local states of a few places, the *members*. It is the step of the plain semantics, on a state in
//! which a process that is no member has been replaced by one that does nothing; before it is taken, `footprint` finds out
//! whether it reads or writes a local state that is not known, and then [`Look::Need`] names the place. So what comes of a step
//! does not depend on what is not known.
//!
//! The step of a system is here one step of a process with all that follows while a process has exclusive control: an atomic sequence is one
//! step. Where a step depends on what cannot be known locally, it is allowed: `timeout` may be true at any time, priorities do not
//! hold anybody back, a process with exclusive control that waits for a rendezvous may lose it, a claim may observe a state twice.
//!
//! With [`Split::merge`] the invisible steps of a process follow at once, and its dead variables are
//! forgotten (`private`).
//!
//! A rendezvous is with a member, or with another process: [`Seen::partners`] are the places that may receive, and looking again with
//! one of them as a *partner* gives the steps in which it does.

mod fixed;
mod footprint;
mod private;

/// The parts of actions, for other looks at the text.
pub(in crate::program) mod parts {
    pub(in crate::program) use super::fixed::{Part, mentions, parts, slots};
    pub(in crate::program) use super::private::dead_at_start;
}

use std::collections::BTreeSet;

use super::{Move, Process, State};
use crate::program::symmetry::Symmetry;
use crate::program::views::{Exposed, Exposure, Local, Shared, Split};
use crate::program::{
    Action, Claim, Expr, Location, Proctype, Program, Question, StepResult, Type, Violation,
};
use fixed::mentions;
use footprint::Footprint;

/// So many states may be passed in one step of a process.
const LONGEST: usize = 20_000;

/// The most places.
pub const MOST_PLACES: u32 = 255;

/// The most places of which a set of bits is exposed.
const MOST_BITS: u32 = 64;

/// A place and its local state.
pub type Member<'a> = (u32, &'a Local);

/// A program prepared for steps of which not everything is known.
pub struct Partial {
    /// With one more proctype, for processes that are not known, and mostly without priorities.
    program: Program,
    /// The number of that proctype.
    absent: u32,
    question: Question,
    split: Split,
    /// The slots that each place owns.
    owned: Vec<Vec<u32>>,
    /// For each proctype the local variables that nothing writes.
    fixed: Vec<Vec<bool>>,
    /// For each proctype, whether it receives anywhere.
    receives: Vec<bool>,
    /// For each proctype what is its own concern.
    own: Vec<private::Own>,
    uses_timeout: bool,
    /// Does every step depend on all processes? `enabled` looks at all that a process can do, and priorities decide about that.
    depends_on_all: bool,
    claim: Watching,
}

/// What part the claim has in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watching {
    /// None is asked about, or it is part of the state as one on messages is.
    No,
    /// It looks at every state, and stays where it is unless it ends.
    Stays,
    /// It moves.
    Moves,
}

/// What was seen of the steps of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// It depends on the local state of this place.
    Need(u32),
    /// All that can happen.
    Seen(Seen),
    /// There are more processes than places.
    TooManyProcesses,
    /// It cannot be followed, for this reason.
    Refused(String),
}

/// The steps of a process, or of a claim alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What they lead to, in ascending order.
    pub effects: Vec<Effect>,
    /// An error that the question asks about, if there is one.
    pub wrong: Option<Violation>,
    /// Places that are not known and may receive in a rendezvous, in ascending order.
    pub partners: Vec<u32>,
}

/// What a step leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// The shared part of the state: variables and channels.
    pub shared: Shared,
    /// The local states of the members, then of the partners.
    pub members: Vec<Local>,
}

impl Partial {
    /// Prepares a program, or says why it is not covered.
    pub fn new(program: &Program, question: Question, split: Split) -> Result<Partial, String> {
        refuse(program, question)?;
        let mut owned = vec![Vec::new(); split.places as usize];
        check_split(program, &split)?;
        for (slot, owner) in split.owners.iter().enumerate() {
            if let Some(owner) = owner {
                owned[*owner as usize].push(slot as u32);
            }
        }
        let asks = |e: &Expr| matches!(e, Expr::Enabled(_));
        let claim_asks = |claim: &Claim| {
            let mut edges = claim.locations.iter().flat_map(|l| &l.edges);
            edges.any(|edge| matches!(&edge.action, Action::Guard(test) if test.any(asks)))
        };
        let depends_on_all = program.uses_priority
            && (mentions(program, asks) || program.claims.iter().any(claim_asks));
        Ok(Partial {
            depends_on_all,
            absent: program.proctypes.len() as u32,
            question,
            owned,
            fixed: fixed::unwritten(program),
            receives: program.proctypes.iter().map(private::receives).collect(),
            uses_timeout: mentions(program, |e| matches!(e, Expr::Timeout)),
            own: match split.merge {
                true => private::own(program, question),
                false => private::nothing(program),
            },
            claim: watching(program, question),
            program: with_absent(program, depends_on_all),
            split,
        })
    }

    /// The state at the start, taken apart.
    pub fn start(&self) -> Result<(Shared, Vec<Local>), String> {
        let state = State::at_start(&self.program, self.question)
            .map_err(|wrong| format!("at the start, {}", wrong.words()))?;
        let claim = match (self.claim, self.asked()) {
            (Watching::Moves, Some(claim)) => claim.entry,
            _ => 0,
        };
        self.take_apart(&state, claim)
    }

    /// A whole state taken apart, with the claim at that place.
    pub fn take_apart(&self, state: &State, claim: u32) -> Result<(Shared, Vec<Local>), String> {
        if state.processes.len() > self.split.places as usize {
            return Err("there are more processes than places".to_owned());
        }
        let before = Shared {
            exposed: vec![0; self.split.exposed.len()],
            ..Shared::default()
        };
        let nothing = vec![Local::default(); self.split.places as usize];
        let places: Vec<Member> = (0..).zip(&nothing).collect();
        let effect = self.dissolve(state, &before, &places, claim);
        Ok((effect.shared, effect.members))
    }

    /// How many places there are.
    pub fn places(&self) -> u32 {
        self.split.places
    }

    /// Does a claim move when nothing else does, or look at states at all? Then [`Partial::look`] without a mover sees it.
    pub fn watches(&self) -> bool {
        self.claim != Watching::No
    }

    /// Can these be the local states of some places of one state, as far as the exposed predicates determine it?
    pub fn agree(&self, shared: &Shared, members: &[Member]) -> bool {
        let each = self.split.exposed.iter().zip(&shared.exposed);
        each.into_iter()
            .all(|(exposure, value)| match exposure.how {
                Exposed::Count => {
                    let is_true = |(place, local): &&Member| holds(exposure, shared, *place, local);
                    let inside = members.iter().filter(is_true).count() as u64;
                    let other = |(place, proctype): &(usize, &u32)| {
                        **proctype == exposure.proctype
                            && members.iter().all(|(member, _)| *member as usize != *place)
                    };
                    let others = shared.processes.iter().enumerate().filter(other).count();
                    inside <= *value && *value <= inside + others as u64
                }
                Exposed::Bits | Exposed::Witnesses => members.iter().all(|(place, local)| {
                    (value >> place & 1 == 1) == holds(exposure, shared, *place, local)
                }),
            })
    }

    /// What a process can do, or without one a claim. The partners are those that receive in a rendezvous, in this order; the mover
    /// is one of the members.
    pub fn look(
        &self,
        shared: &Shared,
        members: &[Member],
        partners: &[Member],
        mover: Option<u32>,
    ) -> Look {
        let known: Vec<Member> = members.iter().chain(partners).copied().collect();
        let mut scene = Scene {
            partial: self,
            shared,
            known,
            partners: partners.iter().map(|(place, _)| *place).collect(),
            seen: Seen::default(),
            effects: BTreeSet::new(),
            candidates: BTreeSet::new(),
        };
        match scene.look(mover) {
            Ok(()) => {
                scene.seen.effects = scene.effects.into_iter().collect();
                scene.seen.partners = scene.candidates.into_iter().collect();
                Look::Seen(scene.seen)
            }
            Err(End::Need(place)) => Look::Need(place),
            Err(End::TooManyProcesses) => Look::TooManyProcesses,
            Err(End::Refused(why)) => Look::Refused(why),
        }
    }

    /// Replaces the numbers of processes in a shared state.
    pub fn rename_shared(
        &self,
        symmetry: &Symmetry,
        shared: &mut Shared,
        name: &mut dyn FnMut(u32) -> u32,
    ) {
        let values = shared.globals.iter_mut().zip(&symmetry.globals);
        for ((value, added), owner) in values.zip(&self.split.owners) {
            if let (Some(added), None) = (added, owner) {
                symmetry.rename(value, *added, name);
            }
        }
        symmetry.rename_messages(shared, name);
    }

    /// Replaces the numbers of processes in the local state of a place whose process was there at the start. A
    /// variable that is dead holds none.
    pub fn rename_local(
        &self,
        symmetry: &Symmetry,
        place: u32,
        local: &mut Local,
        name: &mut dyn FnMut(u32) -> u32,
    ) {
        let proctype = self.program.start[place as usize].proctype as usize;
        let dead = &self.own[proctype].dead[local.location as usize];
        let kinds = symmetry.locals[proctype].iter();
        for ((value, added), slot) in local.locals.iter_mut().zip(kinds).zip(0u32..) {
            if let Some(added) = added
                && !dead.contains(&slot)
            {
                symmetry.rename(value, *added, name);
            }
        }
        let owned = &self.owned[place as usize];
        for (value, slot) in local.owned.iter_mut().zip(owned) {
            if let Some(added) = symmetry.globals[*slot as usize] {
                symmetry.rename(value, added, name);
            }
        }
    }

    /// Does the value of a variable of a process at a location not matter, so that it is taken for 0?
    pub fn is_dead(&self, proctype: u32, location: u32, slot: u32) -> bool {
        self.own[proctype as usize].dead[location as usize].contains(&slot)
    }

    fn asked(&self) -> Option<&Claim> {
        match self.question {
            Question::Claim(number) => self.program.claims.get(number),
            _ => None,
        }
    }

    /// Does the question ask about this?
    fn concerns(&self, wrong: Violation) -> bool {
        match self.question {
            Question::Assertions => !wrong.is_event(),
            Question::EndStates | Question::Acceptance | Question::Progress => false,
            Question::Claim(_) => wrong.is_event(),
        }
    }

    /// A state of the plain semantics, in which those that are not known do nothing.
    fn assemble(&self, shared: &Shared, known: &[Member]) -> State {
        let mut globals = shared.globals.clone();
        let process = |proctype: u32| Process {
            proctype,
            location: 0,
            locals: Vec::new(),
            priority: 0,
        };
        let mut processes: Vec<Process> = shared
            .processes
            .iter()
            .map(|_| process(self.absent))
            .collect();
        for (place, local) in known {
            for (slot, value) in self.owned[*place as usize].iter().zip(&local.owned) {
                globals[*slot as usize] = *value;
            }
            if let Some(proctype) = shared.processes.get(*place as usize) {
                processes[*place as usize] = Process {
                    location: local.location,
                    locals: local.locals.clone(),
                    priority: local.priority,
                    ..process(*proctype)
                };
            }
        }
        State {
            globals,
            processes,
            channels: shared.channels.clone(),
            last: shared.last,
            alone: None,
            events: match self.question {
                Question::Claim(number) if self.asked().is_some_and(|c| c.events.is_some()) => {
                    Some((number as u32, shared.claim))
                }
                _ => None,
            },
            lenient: false,
            asking: Vec::new(),
        }
    }

    /// Takes a state apart; what is not known of it is as before.
    fn dissolve(&self, state: &State, before: &Shared, known: &[Member], claim: u32) -> Effect {
        let mut globals = state.globals.clone();
        for (value, owner) in globals.iter_mut().zip(&self.split.owners) {
            if owner.is_some() {
                *value = 0;
            }
        }
        let live = state.processes.iter().enumerate();
        let proctype = |(place, process): (usize, &Process)| match process.proctype == self.absent {
            true => before.processes[place],
            false => process.proctype,
        };
        let mut shared = Shared {
            globals,
            processes: live.map(proctype).collect(),
            channels: state.channels.clone(),
            last: state.last,
            claim: state.events.map_or(claim, |(_, at)| at),
            exposed: before.exposed.clone(),
        };
        let members: Vec<Local> = known.iter().map(|(p, _)| self.local(state, *p)).collect();
        for (number, exposure) in self.split.exposed.iter().enumerate() {
            for ((place, old), new) in known.iter().zip(&members) {
                let was = holds(exposure, before, *place, old);
                let is = holds(exposure, &shared, *place, new);
                let value = &mut shared.exposed[number];
                match (exposure.how, was, is) {
                    (Exposed::Count, true, false) => *value = value.saturating_sub(1),
                    (Exposed::Count, false, true) => *value += 1,
                    (Exposed::Count, _, _) => {}
                    (_, _, true) => *value |= 1 << place,
                    (_, _, false) => *value &= !(1 << place),
                }
            }
        }
        Effect { shared, members }
    }

    fn local(&self, state: &State, place: u32) -> Local {
        let owned = self.owned[place as usize].iter();
        let owned = owned.map(|slot| state.globals[*slot as usize]).collect();
        match state.processes.get(place as usize) {
            Some(process) => {
                let mut locals = process.locals.clone();
                let own = &self.own[process.proctype as usize];
                for slot in &own.dead[process.location as usize] {
                    locals[*slot as usize] = 0;
                }
                Local {
                    location: process.location,
                    locals,
                    priority: process.priority,
                    owned,
                }
            }
            None => Local {
                owned,
                ..Local::default()
            },
        }
    }
}

/// Is an exposed predicate true of a place?
fn holds(exposure: &Exposure, shared: &Shared, place: u32, local: &Local) -> bool {
    shared.processes.get(place as usize) == Some(&exposure.proctype)
        && exposure.locations.binary_search(&local.location).is_ok()
}

/// What is not covered: what is a matter of all processes at once, and of infinite runs.
fn refuse(program: &Program, question: Question) -> Result<(), String> {
    if program.is_liveness(question) {
        return Err("infinite runs are a matter of all processes".to_owned());
    }
    let claim = match question {
        Question::Assertions | Question::Acceptance | Question::Progress => return Ok(()),
        Question::EndStates => return Err("end states are a matter of all processes".to_owned()),
        Question::Claim(number) => program.claims.get(number),
    };
    let Some(claim) = claim else {
        return Err("there is no such claim".to_owned());
    };
    let stops = |events: &crate::program::Events| {
        !events.forbidden && events.places.iter().any(|p| !p.rest)
    };
    match claim.events.as_ref().is_some_and(stops) {
        true => Err("the claim asks where all processes stop".to_owned()),
        false => Ok(()),
    }
}

fn check_split(program: &Program, split: &Split) -> Result<(), String> {
    if !(2..=MOST_PLACES).contains(&split.places) {
        return Err(format!("there must be 2 to {MOST_PLACES} places"));
    }
    if split.owners.len() != program.globals.len() {
        return Err("each shared variable must be listed".to_owned());
    }
    for (slot, owner) in program.globals.iter().zip(&split.owners) {
        if owner.is_some_and(|o| o >= split.places) {
            return Err(format!("`{}` has an owner that cannot be", slot.name));
        }
        // Claims on messages and `xr` look at channels wherever they are.
        if owner.is_some() && (slot.hidden || slot.ty == Type::Chan) {
            return Err(format!("`{}` cannot be owned", slot.name));
        }
    }
    let is_set = |e: &Exposure| e.how != Exposed::Count;
    if split.places > MOST_BITS && split.exposed.iter().any(is_set) {
        return Err(format!(
            "sets of more than {MOST_BITS} processes are not exposed"
        ));
    }
    let is_sorted = |e: &Exposure| e.locations.is_sorted_by(|a, b| a < b);
    match split.exposed.iter().all(is_sorted) {
        true => Ok(()),
        false => Err("exposed locations must be sorted".to_owned()),
    }
}

fn watching(program: &Program, question: Question) -> Watching {
    let Question::Claim(number) = question else {
        return Watching::No;
    };
    let claim = &program.claims[number];
    if claim.events.is_some() {
        return Watching::No;
    }
    let here = claim.locations.get(claim.entry as usize);
    let stays = |l: &Location| {
        let mut edges = l.edges.iter();
        edges.all(|e| e.target == claim.entry || e.target == claim.end)
    };
    match here.is_some_and(stays) && claim.entry != claim.end {
        true => Watching::Stays,
        false => Watching::Moves,
    }
}

/// The program with a proctype for processes that do nothing. Priorities disable no process unless all processes are known.
fn with_absent(program: &Program, all_known: bool) -> Program {
    let mut program = program.clone();
    program.uses_priority &= all_known;
    program.proctypes.push(Proctype {
        name: "absent".to_owned(),
        parameters: 0,
        locals: Vec::new(),
        locations: vec![Location::default()],
        entry: 0,
        provided: None,
        promises: Vec::new(),
        span: Default::default(),
    });
    program
}

/// Why looking ends before all is seen.
enum End {
    Need(u32),
    TooManyProcesses,
    Refused(String),
}

/// One look.
struct Scene<'a> {
    partial: &'a Partial,
    shared: &'a Shared,
    known: Vec<Member<'a>>,
    /// Those who receive, in this order.
    partners: Vec<u32>,
    seen: Seen,
    effects: BTreeSet<Effect>,
    candidates: BTreeSet<u32>,
}

/// A state on the way, and how many partners have received.
type Passed = (State, usize);

impl Scene<'_> {
    fn look(&mut self, mover: Option<u32>) -> Result<(), End> {
        self.witnesses()?;
        let state = self.partial.assemble(self.shared, &self.known);
        let places = match (self.partial.claim, mover) {
            (Watching::No, _) | (Watching::Stays, Some(_)) => vec![self.shared.claim],
            _ => self.claim(&state)?,
        };
        for claim in places {
            match mover {
                None if self.partial.claim == Watching::Moves => self.keep(&state, claim)?,
                None => {}
                Some(mover) => self.follow(&state, mover, claim)?,
            }
        }
        Ok(())
    }

    /// Those of whom a predicate says that it is true must be looked at.
    fn witnesses(&self) -> Result<(), End> {
        let each = self.partial.split.exposed.iter().zip(&self.shared.exposed);
        for (exposure, value) in each {
            if exposure.how == Exposed::Witnesses {
                let missing = |p: &u32| value >> p & 1 == 1 && !self.knows(*p);
                if let Some(place) = (0..self.partial.split.places).find(missing) {
                    return Err(End::Need(place));
                }
            }
        }
        Ok(())
    }

    fn knows(&self, place: u32) -> bool {
        self.known.iter().any(|(member, _)| *member == place)
    }

    fn footprint(&self) -> Footprint<'_> {
        Footprint {
            partial: self.partial,
            shared: self.shared,
            known: &self.known,
        }
    }

    /// Where the claim goes.
    fn claim(&mut self, state: &State) -> Result<Vec<u32>, End> {
        let Some(claim) = self.partial.asked() else {
            return Ok(Vec::new());
        };
        let at = match self.partial.claim {
            Watching::Stays => claim.entry,
            _ => self.shared.claim,
        };
        let need = self.footprint().claim(state, claim, at);
        need.map_err(End::Need)?;
        let mut targets: Vec<u32> = Vec::new();
        let timeouts: &[bool] = match claim.asks_timeout(at) {
            true => &[false, true],
            false => &[false],
        };
        for timeout in timeouts {
            let look = state.claim_looks_when(&self.partial.program, claim, at, *timeout);
            self.seen.wrong = self.seen.wrong.or(look.wrong);
            targets.extend(look.ways.into_iter().map(|(_, target)| target));
        }
        targets.sort_unstable();
        targets.dedup();
        if targets.contains(&claim.end) {
            self.seen.wrong = self.seen.wrong.or(Some(Violation::Claim));
        }
        targets.retain(|target| *target != claim.end);
        Ok(targets)
    }

    /// Follows a step up to states in which no process has exclusive control.
    fn follow(&mut self, state: &State, mover: u32, claim: u32) -> Result<(), End> {
        let mut passed: BTreeSet<Passed> = BTreeSet::new();
        let mut open: Vec<Passed> = Vec::new();
        let mut first = state.clone();
        first.alone = Some(mover);
        let timeouts: &[bool] = match self.partial.uses_timeout {
            true => &[false, true],
            false => &[false],
        };
        for timeout in timeouts {
            self.step(&(first.clone(), 0), *timeout, claim, &mut open)?;
        }
        while let Some(next) = open.pop() {
            if passed.len() > LONGEST {
                let why = "an atomic sequence passes too many states";
                return Err(End::Refused(why.to_owned()));
            }
            if !passed.insert(next.clone()) {
                continue;
            }
            if !self.step(&next, false, claim, &mut open)? {
                self.keep(&next.0, claim)?;
            }
        }
        Ok(())
    }

    /// One step of the process with exclusive control; false if it has none.
    fn step(
        &mut self,
        (state, met): &Passed,
        timeout: bool,
        claim: u32,
        open: &mut Vec<Passed>,
    ) -> Result<bool, End> {
        let Some(mover) = state.alone else {
            return Ok(false);
        };
        if mover as usize >= state.processes.len() {
            return Ok(false);
        }
        self.grown(state)?;
        let footprint = self.footprint();
        let sends = footprint.step(state, mover as usize, timeout);
        let sends = sends.map_err(End::Need)?;
        if sends && *met == self.partners.len() {
            self.candidates.extend(self.strangers());
        }
        let moves = state.moves_when(&self.partial.program, timeout);
        let able = !moves.is_empty();
        for it in moves {
            let mut met = *met;
            if let Some((partner, _)) = it.step.partner {
                match self.partners.iter().position(|p| *p == partner) {
                    Some(number) if number == met => met += 1,
                    Some(number) if number > met => continue,
                    _ => {}
                }
            }
            match it.outcome {
                StepResult::Wrong(wrong) if self.partial.concerns(wrong) => {
                    self.seen.wrong = self.seen.wrong.or(Some(wrong));
                }
                StepResult::Wrong(_) => {}
                StepResult::Unfinished => {
                    return Err(End::Refused("a `d_step` is too long".to_owned()));
                }
                StepResult::State(next) if next.alone.is_some() => open.push((next, met)),
                StepResult::State(next) => self.keep(&next, claim)?,
            }
        }
        Ok(able)
    }

    /// Processes that are not known and may receive.
    fn strangers(&self) -> Vec<u32> {
        let live = self.shared.processes.iter().enumerate();
        let may = |(place, proctype): (usize, &u32)| {
            let receives = self.partial.receives[*proctype as usize];
            (receives && !self.knows(place as u32)).then_some(place as u32)
        };
        live.filter_map(may).collect()
    }

    /// A process that has been made must be known.
    fn grown(&self, state: &State) -> Result<(), End> {
        let (before, after) = (self.shared.processes.len(), state.processes.len());
        if after > self.partial.split.places as usize {
            return Err(End::TooManyProcesses);
        }
        match (before..after).find(|place| !self.knows(*place as u32)) {
            Some(new) => Err(End::Need(new as u32)),
            None => Ok(()),
        }
    }

    /// A state that a step leads to, with the private steps that follow.
    fn keep(&mut self, state: &State, claim: u32) -> Result<(), End> {
        self.grown(state)?;
        let mut open = vec![state.clone()];
        while let Some(mut state) = open.pop() {
            state.alone = None;
            let Some(moves) = self.private_moves(&state) else {
                let partial = self.partial;
                let effect = partial.dissolve(&state, self.shared, &self.known, claim);
                self.effects.insert(effect);
                continue;
            };
            for it in moves {
                match it.outcome {
                    StepResult::State(next) => open.push(next),
                    StepResult::Wrong(wrong) if self.partial.concerns(wrong) => {
                        self.seen.wrong = self.seen.wrong.or(Some(wrong));
                    }
                    StepResult::Wrong(_) | StepResult::Unfinished => {}
                }
            }
        }
        Ok(())
    }

    /// The steps of one process that has come to a private location, if there is one that can go on.
    fn private_moves(&self, state: &State) -> Option<Vec<Move>> {
        self.known.iter().find_map(|(place, before)| {
            let process = state.processes.get(*place as usize)?;
            let own = &self.partial.own[process.proctype as usize];
            let moved = process.location != before.location || process.locals != before.locals;
            if !moved || !own.private[process.location as usize] {
                return None;
            }
            let mut one = state.clone();
            one.alone = Some(*place);
            let moves = one.moves_when(&self.partial.program, false);
            (!moves.is_empty()).then_some(moves)
        })
    }
}
