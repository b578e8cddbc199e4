//! Which steps are possible, and where they lead.

use super::State;
use crate::program::run::TraceStep;
use crate::program::{Action, Edge, Keep, Location, Pattern, Program, StepResult, Violation};

/// A step and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The step.
    pub step: TraceStep,
    /// Its result.
    pub outcome: StepResult<State>,
}

/// A `d_step` is followed for this many edges; what becomes of a longer one is not known.
pub const LONGEST_D_STEP: u64 = 50_000_000;
/// From this many edges on, a `d_step` is watched for coming back to a state that it has passed.
const WATCHED_FROM: u64 = 1 << 12;

impl State {
    /// All steps from here. None: the system stops.
    pub fn moves(&self, program: &Program) -> Vec<Move> {
        let mut all = self.moves_when(program, false);
        if all.is_empty() {
            all = self.moves_when(program, true);
        }
        all.iter_mut().for_each(|step| step.look_ahead(program));
        all
    }

    /// The step from here that takes the same way as this one, if there is one.
    pub fn move_like(&self, program: &Program, step: &TraceStep) -> Option<Move> {
        // Without a look at all other processes, whose `d_step`s may be long.
        let one = step.process as usize;
        let mut moves = Vec::new();
        if one < self.processes.len() && self.alone.is_none_or(|alone| alone == step.process) {
            self.moves_by(program, one, false, &mut moves);
        }
        if moves.is_empty() {
            moves = self.moves(program);
        }
        let mut found = moves.into_iter().find(|m| match m.outcome {
            StepResult::Wrong(Violation::Endless) => m.step.begins_like(step),
            _ => m.step.is_like(step),
        })?;
        found.look_ahead(program);
        Some(found)
    }

    /// Can nothing be done here without `timeout`?
    pub fn waits(&self, program: &Program) -> bool {
        self.moves_when(program, false).is_empty()
    }

    pub(super) fn moves_when(&self, program: &Program, timeout: bool) -> Vec<Move> {
        let mut all = Vec::new();
        let who = match self.alone {
            Some(one) => one as usize..one as usize + 1,
            None => 0..self.processes.len(),
        };
        for one in who {
            self.moves_by(program, one, timeout, &mut all);
        }
        all
    }

    /// The steps of one process, if it may run. A `provided` clause whose evaluation fails gives a failing step without an edge.
    fn moves_by(&self, program: &Program, one: usize, timeout: bool, all: &mut Vec<Move>) {
        match self.provided(program, one, timeout) {
            Err(wrong) => {
                let process = one as u32;
                let step = TraceStep {
                    process,
                    ..TraceStep::default()
                };
                all.push(failed(step, wrong));
            }
            Ok(_) if self.may_run(program, one, timeout) => {
                self.moves_of(program, one, timeout, all);
            }
            Ok(_) => {}
        }
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

    /// An error while its guards are evaluated is attributed to that process.
    fn is_provided(&self, program: &Program, one: usize, timeout: bool) -> bool {
        self.provided(program, one, timeout) != Ok(false)
    }

    fn provided(&self, program: &Program, one: usize, timeout: bool) -> Result<bool, Violation> {
        let text = &program.proctypes[self.processes[one].proctype as usize];
        match &text.provided {
            Some(condition) => Ok(self.eval(program, Some(one), timeout, condition)? != 0),
            None => Ok(true),
        }
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
        let step = TraceStep {
            process: one as u32,
            edges: vec![number],
            ..TraceStep::default()
        };
        if let Action::Send { channel, .. } = &edge.action {
            let capacity = self
                .eval(program, Some(one), timeout, channel)
                .and_then(|c| {
                    self.keeps_promises(program, Some(one), c, (false, true))?;
                    self.capacity(program, c)
                });
            match capacity {
                Ok(0) if edge.d_step => return all.push(failed(step, Violation::DStepRendezvous)),
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
        step: TraceStep,
        all: &mut Vec<Move>,
    ) {
        let message = match self.message(program, one, edge, timeout) {
            Ok(message) => message,
            Err(wrong) => return all.push(failed(step, wrong)),
        };
        for other in (0..self.processes.len()).filter(|o| *o != one) {
            if !self.may_run(program, other, timeout) {
                continue;
            }
            let here = self.location(program, other);
            for rank in ranks(here) {
                let before = all.len();
                for (number, theirs) in of_rank(here, rank) {
                    let partner = Some((other as u32, number));
                    let step = TraceStep {
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
                            all.push(next.finish(program, other, step, theirs.target));
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
            let value = self.eval(program, Some(one), timeout, value)?;
            message.push(super::arithmetic::cut(*ty, value));
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
        self.keeps_promises(program, Some(other), message.0, (true, false))?;
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
                self.keeps_promises(program, me, number, (false, true))?;
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
                self.keeps_promises(program, me, number, (true, false))?;
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
    fn finish(mut self, program: &Program, one: usize, mut step: TraceStep, target: u32) -> Move {
        let mut target = target;
        // A state that was passed, and after how many edges the next one is put in its place: a `d_step` that comes back
        // to a state comes back to it forever (Brent's way of finding a cycle).
        let mut passed: Option<State> = None;
        let (mut edges, mut next_mark) = (1u64, WATCHED_FROM);
        loop {
            if one >= self.processes.len() {
                break;
            }
            self.processes[one].location = target;
            if self.keep(program, one) != Keep::DStep {
                break;
            }
            if passed.as_ref() == Some(&self) {
                return failed(step, Violation::Endless);
            }
            if edges == next_mark {
                passed = Some(self.clone());
                next_mark *= 2;
            }
            if edges >= LONGEST_D_STEP {
                let outcome = StepResult::Unfinished;
                return Move { step, outcome };
            }
            let here = self.location(program, one);
            match self.first(program, one, here) {
                Ok((number, next)) => {
                    step.note(number);
                    edges += 1;
                    target = next;
                }
                Err((number, wrong)) => {
                    number.into_iter().for_each(|n| step.note(n));
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
            if let Action::Send { channel, .. } = &edge.action {
                let channel = self
                    .eval(program, Some(one), false, channel)
                    .map_err(wrong)?;
                if self.capacity(program, channel).map_err(wrong)? == 0 {
                    return Err(wrong(Violation::DStepRendezvous));
                }
            }
            // What has to wait changes nothing.
            if self.perform(program, one, edge, false).map_err(wrong)? {
                return Ok((number, edge.target));
            }
        }
        Err((None, Violation::DStepBlocks))
    }

    /// Ends a step of `mover` (in a rendezvous, the receiver): hidden variables are forgotten, and
    /// who is inside `atomic` continues alone; [`State::moves`] sees whether it can.
    fn settle(mut self, program: &Program, mover: usize) -> StepResult<State> {
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
        StepResult::State(self)
    }
}

impl Move {
    /// One step ahead is enough to see whether an atomic sequence continues. Looking inside `settle` would follow the
    /// whole sequence, which need not end.
    fn look_ahead(&mut self, program: &Program) {
        if let StepResult::State(next) = &mut self.outcome
            && next.alone.is_some()
            && next.moves_when(program, false).is_empty()
        {
            next.alone = None;
        }
    }
}

fn failed(step: TraceStep, wrong: Violation) -> Move {
    let outcome = StepResult::Wrong(wrong);
    Move { step, outcome }
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
