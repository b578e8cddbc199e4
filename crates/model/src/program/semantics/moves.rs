//! Which steps are possible, and where they lead.

use super::State;
use crate::program::run::Step;
use crate::program::{Action, Edge, Keep, Location, Outcome, Pattern, Program, Violation};

/// A step and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The step.
    pub step: Step,
    /// What it leads to.
    pub outcome: Outcome<State>,
}

/// So many edges make a `d_step` that does not end.
const LONGEST_D_STEP: usize = 1_000_000;

impl State {
    /// All steps from here. None: the system stops.
    pub fn moves(&self, program: &Program) -> Vec<Move> {
        let mut all = self.moves_when(program, false);
        if all.is_empty() {
            all = self.moves_when(program, true);
        }
        // One step ahead is enough to see whether an atomic sequence goes on. Looking inside
        // `settle` would follow the whole sequence, which need not end.
        for step in &mut all {
            if let Outcome::State(next) = &mut step.outcome
                && next.alone.is_some()
                && next.moves_when(program, false).is_empty()
            {
                next.alone = None;
            }
        }
        all
    }

    pub(super) fn moves_when(&self, program: &Program, timeout: bool) -> Vec<Move> {
        let mut all = Vec::new();
        match self.alone {
            Some(one) => {
                if self.may_run(program, one as usize, timeout) {
                    self.moves_of(program, one as usize, timeout, &mut all);
                }
            }
            None => {
                for one in 0..self.processes.len() {
                    if self.may_run(program, one, timeout) {
                        self.moves_of(program, one, timeout, &mut all);
                    }
                }
            }
        }
        all
    }

    /// Do priorities and `provided` let this process run?
    fn may_run(&self, program: &Program, one: usize, timeout: bool) -> bool {
        let higher = |other: usize| {
            self.processes[other].priority > self.processes[one].priority
                && self.is_provided(program, other, timeout)
                && self.is_able(program, other, timeout)
        };
        self.is_provided(program, one, timeout)
            && !(program.uses_priority && (0..self.processes.len()).any(higher))
    }

    fn is_provided(&self, program: &Program, one: usize, timeout: bool) -> bool {
        let text = &program.proctypes[self.processes[one].proctype as usize];
        // What goes wrong while looking does not hold the process back.
        text.provided.as_ref().is_none_or(|condition| {
            !matches!(self.eval(program, Some(one), timeout, condition), Ok(0))
        })
    }

    /// Has this process an executable step, priorities aside?
    fn is_able(&self, program: &Program, one: usize, timeout: bool) -> bool {
        let mut moves = Vec::new();
        self.moves_of(program, one, timeout, &mut moves);
        !moves.is_empty()
    }

    /// The value of `enabled(number)` for process `me`. Whether a process can step must not depend on itself.
    pub(super) fn is_enabled(
        &self,
        program: &Program,
        me: Option<usize>,
        number: i32,
    ) -> Result<bool, Violation> {
        let Some(one) = usize::try_from(number).ok() else {
            return Ok(false);
        };
        let mut asked = self.clone();
        asked.asking.extend(me.map(|me| me as u32));
        if asked.asking.contains(&(one as u32)) {
            return Err(Violation::Process);
        }
        Ok(one < self.processes.len() && asked.is_able(program, one, false))
    }

    fn location<'a>(&self, program: &'a Program, one: usize) -> &'a Location {
        let it = &self.processes[one];
        &program.proctypes[it.proctype as usize].locations[it.location as usize]
    }

    /// The steps of one process, those of the least rank that has any.
    fn moves_of(&self, program: &Program, one: usize, timeout: bool, all: &mut Vec<Move>) {
        let here = self.location(program, one);
        let before = all.len();
        for rank in ranks(here) {
            for (number, edge) in of_rank(here, rank) {
                if edge.action != Action::Else || all.len() == before {
                    self.take(program, one, number, edge, timeout, all);
                }
            }
            if all.len() > before {
                return;
            }
        }
    }

    /// Takes an edge in all the ways it can be taken: none, one, or one for each partner.
    fn take(
        &self,
        program: &Program,
        one: usize,
        number: u32,
        edge: &Edge,
        timeout: bool,
        all: &mut Vec<Move>,
    ) {
        let step = Step {
            process: one as u32,
            edges: vec![number],
            partner: None,
            claim: None,
        };
        if let Action::Send { channel, .. } = &edge.action {
            let capacity = self
                .eval(program, Some(one), timeout, channel)
                .and_then(|c| self.capacity(program, c));
            match capacity {
                Ok(0) => return self.meet(program, one, edge, timeout, step, all),
                Ok(_) => {}
                Err(wrong) => return all.push(failed(step, wrong)),
            }
        }
        let mut next = self.clone();
        match next.perform(program, one, edge, timeout) {
            Ok(false) => {}
            Ok(true) => all.push(next.finish(program, one, step, edge.target)),
            Err(wrong) => all.push(failed(step, wrong)),
        }
    }

    /// A rendezvous with each process that can receive now.
    fn meet(
        &self,
        program: &Program,
        one: usize,
        edge: &Edge,
        timeout: bool,
        step: Step,
        all: &mut Vec<Move>,
    ) {
        let message = match self.message(program, one, edge, timeout) {
            Ok(message) => message,
            Err(wrong) => return all.push(failed(step, wrong)),
        };
        let target = target(program, self.processes[one].proctype, edge.target);
        for other in (0..self.processes.len()).filter(|o| *o != one) {
            if !self.may_run(program, other, timeout) {
                continue;
            }
            let here = self.location(program, other);
            for rank in ranks(here) {
                let before = all.len();
                for (number, theirs) in of_rank(here, rank) {
                    let partner = Some((other as u32, number));
                    let step = Step {
                        partner,
                        ..step.clone()
                    };
                    let mut next = self.clone();
                    match next.receive(program, other, theirs, timeout, &message) {
                        Ok(false) => {}
                        Err(wrong) => all.push(failed(step, wrong)),
                        Ok(true) => {
                            if let Err(wrong) = next.exchange(program, &message) {
                                all.push(failed(step, wrong));
                                continue;
                            }
                            next.processes[one].location = edge.target;
                            next.processes[other].location = theirs.target;
                            let both = [target.keep, next.keep(program, other)];
                            if both.contains(&Keep::DStep) {
                                all.push(failed(step, Violation::DStepRendezvous));
                            } else {
                                let outcome = next.settle(program, other);
                                all.push(Move { step, outcome });
                            }
                        }
                    }
                }
                if all.len() > before {
                    break;
                }
            }
        }
    }

    /// The message of a send: the channel and the values, cut to its fields.
    fn message(
        &self,
        program: &Program,
        one: usize,
        edge: &Edge,
        timeout: bool,
    ) -> Result<(i32, Vec<i32>), Violation> {
        let Action::Send {
            channel, values, ..
        } = &edge.action
        else {
            return Err(Violation::Channel);
        };
        let number = self.eval(program, Some(one), timeout, channel)?;
        let kind = self.channels[self.channel(number)?].kind;
        let fields = &program.channels[kind as usize].fields;
        if fields.len() != values.len() {
            return Err(Violation::Channel);
        }
        let mut message = Vec::with_capacity(fields.len());
        for (ty, value) in fields.iter().zip(values) {
            message.push(ty.truncate(self.eval(program, Some(one), timeout, value)?));
        }
        Ok((number, message))
    }

    /// Receives in a rendezvous, if that edge can.
    fn receive(
        &mut self,
        program: &Program,
        other: usize,
        edge: &Edge,
        timeout: bool,
        message: &(i32, Vec<i32>),
    ) -> Result<bool, Violation> {
        let Action::Receive {
            channel,
            patterns,
            keep,
            ..
        } = &edge.action
        else {
            return Ok(false);
        };
        // A receive from something that is no channel is that process's own mistake.
        let number = self.eval(program, Some(other), timeout, channel);
        if number != Ok(message.0) || *keep {
            return Ok(false);
        }
        if !self.fits(program, Some(other), timeout, &message.1, patterns)? {
            return Ok(false);
        }
        self.keep_fields(program, other, &message.1, patterns)?;
        Ok(true)
    }

    fn keep_fields(
        &mut self,
        program: &Program,
        one: usize,
        message: &[i32],
        patterns: &[Pattern],
    ) -> Result<(), Violation> {
        for (field, pattern) in message.iter().zip(patterns) {
            if let Pattern::Store(place) = pattern {
                self.store(program, one, place, *field)?;
            }
        }
        Ok(())
    }

    /// Does what an edge says, except for going to its target. False when it has to wait.
    fn perform(
        &mut self,
        program: &Program,
        one: usize,
        edge: &Edge,
        timeout: bool,
    ) -> Result<bool, Violation> {
        let me = Some(one);
        match &edge.action {
            Action::Guard(test) => return Ok(self.eval(program, me, timeout, test)? != 0),
            Action::Else => {}
            Action::Assign(place, expr) => {
                let value = self.eval(program, me, timeout, expr)?;
                self.store(program, one, place, value)?;
            }
            Action::Assert(test) => {
                if self.eval(program, me, timeout, test)? == 0 && !self.lenient {
                    return Err(Violation::Assertion);
                }
            }
            Action::Send { sorted, .. } => {
                let (number, message) = self.message(program, one, edge, timeout)?;
                let capacity = self.capacity(program, number)?;
                let at = self.channel(number)?;
                let messages = &mut self.channels[at].messages;
                if messages.len() >= capacity {
                    return Ok(false);
                }
                let after = match sorted {
                    true => messages.iter().position(|m| *m > message),
                    false => None,
                };
                let place = after.unwrap_or(messages.len());
                messages.insert(place, message.clone());
                self.event(program, number, true, &message)?;
            }
            Action::Receive {
                channel,
                patterns,
                any,
                keep,
            } => {
                let number = self.eval(program, me, timeout, channel)?;
                let at = self.channel(number)?;
                let Some(which) = self.matching(program, me, timeout, number, patterns, *any)?
                else {
                    return Ok(false);
                };
                let message = self.channels[at].messages[which].clone();
                if !keep {
                    self.event(program, number, false, &message)?;
                    self.channels[at].messages.remove(which);
                }
                self.keep_fields(program, one, &message, patterns)?;
            }
            Action::Run {
                proctype,
                arguments,
                priority,
                result,
            } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.eval(program, me, timeout, argument)?);
                }
                let number = self.new_process(program, *proctype, &values, *priority)?;
                if let Some(place) = result {
                    self.store(program, one, place, number as i32)?;
                }
            }
            Action::SetPriority(process, priority) => {
                let number = self.eval(program, me, timeout, process)?;
                let priority = self.eval(program, me, timeout, priority)?;
                let Ok(priority @ 1..) = u8::try_from(priority) else {
                    return Err(Violation::Index);
                };
                if let Ok(number) = usize::try_from(number)
                    && let Some(process) = self.processes.get_mut(number)
                {
                    process.priority = priority;
                }
            }
            Action::End => {
                if one + 1 != self.processes.len() {
                    return Ok(false);
                }
                self.processes.pop();
                while self
                    .channels
                    .last()
                    .is_some_and(|c| c.owner.is_some_and(|o| o as usize >= one))
                {
                    self.channels.pop();
                }
            }
        }
        Ok(true)
    }

    /// Goes to the target, and through the rest of a `d_step`.
    fn finish(mut self, program: &Program, one: usize, mut step: Step, target: u32) -> Move {
        let mut target = target;
        loop {
            if one >= self.processes.len() {
                break;
            }
            self.processes[one].location = target;
            if self.keep(program, one) != Keep::DStep {
                break;
            }
            let here = self.location(program, one);
            if step.edges.len() >= LONGEST_D_STEP {
                return failed(step, Violation::Endless);
            }
            match self.first(program, one, here) {
                Ok((number, next)) => {
                    step.edges.push(number);
                    target = next;
                }
                Err((number, wrong)) => {
                    step.edges.extend(number);
                    return failed(step, wrong);
                }
            }
        }
        let outcome = self.settle(program, one);
        Move { step, outcome }
    }

    /// Inside a `d_step`: takes the first edge that can be taken; its number and its target.
    fn first(
        &mut self,
        program: &Program,
        one: usize,
        here: &Location,
    ) -> Result<(u32, u32), (Option<u32>, Violation)> {
        for (number, edge) in here.edges.iter().enumerate() {
            let number = number as u32;
            let wrong = |wrong| (Some(number), wrong);
            if let Action::Send { channel, .. } | Action::Receive { channel, .. } = &edge.action {
                let channel = self
                    .eval(program, Some(one), false, channel)
                    .map_err(wrong)?;
                if self.capacity(program, channel).map_err(wrong)? == 0 {
                    return Err(wrong(Violation::DStepRendezvous));
                }
            }
            let mut next = self.clone();
            if next.perform(program, one, edge, false).map_err(wrong)? {
                *self = next;
                return Ok((number, edge.target));
            }
        }
        Err((None, Violation::DStepBlocks))
    }

    /// Ends a step of `mover` (in a rendezvous, the receiver): hidden variables are forgotten, and
    /// who is inside `atomic` goes on alone; [`State::moves`] sees whether it can.
    fn settle(mut self, program: &Program, mover: usize) -> Outcome<State> {
        for (value, slot) in self.globals.iter_mut().zip(&program.globals) {
            if slot.hidden {
                *value = 0;
            }
        }
        if program.uses_last {
            self.last = mover as u32;
        }
        self.alone = None;
        if mover < self.processes.len() && self.keep(program, mover) == Keep::Atomic {
            self.alone = Some(mover as u32);
        }
        Outcome::State(self)
    }
}

fn failed(step: Step, wrong: Violation) -> Move {
    let outcome = Outcome::Wrong(wrong);
    Move { step, outcome }
}

fn target(program: &Program, proctype: u32, location: u32) -> &Location {
    &program.proctypes[proctype as usize].locations[location as usize]
}

/// The ranks of a location's edges, from the least.
fn ranks(here: &Location) -> Vec<u8> {
    let mut ranks: Vec<u8> = here.edges.iter().map(|e| e.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

fn of_rank(here: &Location, rank: u8) -> impl Iterator<Item = (u32, &Edge)> {
    let edges = here.edges.iter().enumerate();
    let edges = edges.filter(move |(_, e)| e.rank == rank);
    edges.map(|(number, edge)| (number as u32, edge))
}
