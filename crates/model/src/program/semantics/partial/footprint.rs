//! Which local states a step reads or writes.
//!
//! Expressions are followed as they are evaluated: what `&&`, `||` and a condition leave out is not looked at, and an index is
//! computed as soon as all that it needs is known. Inside a `d_step`, which is one step, all statements that can be reached are
//! looked at, with all values that an index can have. More than a step really touches does no harm.

use std::collections::BTreeSet;

use super::fixed::{Part, parts, slots};
use super::{Member, Partial};
use crate::program::semantics::State;
use crate::program::views::Shared;
use crate::program::{
    Action, Binary, Claim, Edge, Expr, Init, Keep, Location, Pattern, Place, Scope,
};

/// A place whose local state must be known.
type Need<T> = Result<T, u32>;

/// What is known.
pub(super) struct Footprint<'a> {
    pub partial: &'a Partial,
    pub shared: &'a Shared,
    pub known: &'a [Member<'a>],
}

/// From where an expression is looked at.
#[derive(Clone, Copy)]
struct At<'a> {
    state: &'a State,
    me: Option<usize>,
    timeout: bool,
}

impl Footprint<'_> {
    /// A step of a process. Whether it offers a rendezvous.
    pub fn step(&self, state: &State, me: usize, timeout: bool) -> Need<bool> {
        let at = At {
            state,
            me: Some(me),
            timeout,
        };
        self.process(me)?;
        if self.partial.depends_on_all {
            self.everybody()?;
        }
        self.provided(at, me)?;
        let here = self.location(state, me);
        let mut offers = false;
        for edge in &here.edges {
            self.action(at, &edge.action)?;
            self.rest(at, me, edge)?;
            offers |= self.is_rendezvous(at, &edge.action);
        }
        if offers {
            for (other, _) in self.known.iter().filter(|(o, _)| *o as usize != me) {
                self.receiver(state, *other as usize, timeout)?;
            }
        }
        Ok(offers)
    }

    /// What a claim looks at.
    pub fn claim(&self, state: &State, claim: &Claim, location: u32) -> Need<()> {
        let at = At {
            state,
            me: None,
            timeout: false,
        };
        let here = claim.locations.get(location as usize);
        for edge in here.iter().flat_map(|l| &l.edges) {
            self.action(at, &edge.action)?;
        }
        Ok(())
    }

    /// A process that may receive in a rendezvous.
    fn receiver(&self, state: &State, other: usize, timeout: bool) -> Need<()> {
        if other >= state.processes.len() {
            return Ok(());
        }
        let at = At {
            state,
            me: Some(other),
            timeout,
        };
        self.provided(at, other)?;
        let here = self.location(state, other);
        let receives = |e: &&Edge| matches!(e.action, Action::Receive { .. });
        for edge in here.edges.iter().filter(receives) {
            self.action(at, &edge.action)?;
            self.rest(at, other, edge)?;
        }
        Ok(())
    }

    fn location<'a>(&'a self, state: &State, one: usize) -> &'a Location {
        let it = &state.processes[one];
        &self.partial.program.proctypes[it.proctype as usize].locations[it.location as usize]
    }

    fn provided(&self, at: At, one: usize) -> Need<()> {
        let text = &self.partial.program.proctypes[at.state.processes[one].proctype as usize];
        text.provided
            .as_ref()
            .map_or(Ok(()), |test| self.expr(at, test))
    }

    fn is_rendezvous(&self, at: At, action: &Action) -> bool {
        let Action::Send { channel, .. } = action else {
            return false;
        };
        let number = self.value(at, channel);
        number.is_some_and(|n| at.state.capacity(&self.partial.program, n) == Ok(0))
    }

    fn value(&self, at: At, expr: &Expr) -> Option<i32> {
        let value = at
            .state
            .eval(&self.partial.program, at.me, at.timeout, expr);
        value.ok()
    }

    /// Needs the local state of a running process.
    fn process(&self, place: usize) -> Need<()> {
        let place = place as u32;
        match self.known.iter().any(|(member, _)| *member == place) {
            true => Ok(()),
            false => Err(place),
        }
    }

    /// All places, those without a process too: they may own variables.
    fn everybody(&self) -> Need<()> {
        let mut places = 0..self.partial.split.places as usize;
        places.try_for_each(|place| self.process(place))
    }

    /// Needs the process of that number, if it is running.
    fn numbered(&self, at: At, number: i32) -> Need<()> {
        match usize::try_from(number) {
            Ok(place) if place < at.state.processes.len() => self.process(place),
            _ => Ok(()),
        }
    }

    /// Needs the first running process of a proctype, if there is one.
    fn first_of(&self, at: At, proctype: u32) -> Need<()> {
        let live = at.state.processes.iter().enumerate();
        let mut live = live.map(|(place, it)| match it.proctype == self.partial.absent {
            true => self.shared.processes[place],
            false => it.proctype,
        });
        let first = live.position(|it| it == proctype);
        first.map_or(Ok(()), |place| self.process(place))
    }

    /// The owner of a slot.
    fn owner(&self, slot: u32) -> Need<()> {
        let owner = self.partial.split.owners.get(slot as usize);
        match owner {
            Some(Some(owner)) => self.process(*owner as usize),
            _ => Ok(()),
        }
    }

    fn action(&self, at: At, action: &Action) -> Need<()> {
        for part in parts(action) {
            match part {
                Part::Value(value) => self.expr(at, value)?,
                Part::Write(place) => self.place(at, place)?,
                Part::Channel(channel) => {
                    self.expr(at, channel)?;
                    self.message(at)?;
                }
            }
        }
        match action {
            Action::Run { proctype, .. } => self.inits(at, *proctype),
            Action::SetPriority(of, _) => {
                self.value(at, of).map_or(Ok(()), |n| self.numbered(at, n))
            }
            _ => Ok(()),
        }
    }

    /// What a new process looks at.
    fn inits(&self, at: At, proctype: u32) -> Need<()> {
        let text = &self.partial.program.proctypes[proctype as usize];
        for slot in &text.locals {
            if let Init::Expr(expr) = &slot.init {
                self.whole_expr(at, None, expr)?;
            }
        }
        Ok(())
    }

    /// Those who have promised to be the only ones at some channel.
    fn promises(&self, at: At) -> Need<()> {
        let Some(me) = at.me else {
            return Ok(());
        };
        for (other, it) in at.state.processes.iter().enumerate() {
            let proctype = match it.proctype == self.partial.absent {
                true => self.shared.processes[other],
                false => it.proctype,
            };
            let promises = &self.partial.program.proctypes[proctype as usize].promises;
            if other == me || promises.is_empty() {
                continue;
            }
            self.process(other)?;
            for promise in promises {
                self.whole_expr(at, Some(other), &promise.channel)?;
            }
        }
        Ok(())
    }

    /// What a claim on messages and promises look at when a message is sent or received.
    fn message(&self, at: At) -> Need<()> {
        let events = self.partial.asked().and_then(|claim| claim.events.as_ref());
        for event in events.iter().flat_map(|events| events.named()) {
            self.whole_expr(at, None, &event.channel)?;
        }
        self.promises(at)
    }

    fn place(&self, at: At, place: &Place) -> Need<()> {
        for index in &place.indices {
            self.expr(at, &index.expr)?;
        }
        if place.scope == Scope::Local {
            return Ok(());
        }
        let slot = at
            .state
            .slot(&self.partial.program, at.me, at.timeout, place);
        slot.map_or(Ok(()), |slot| self.owner(slot as u32))
    }

    fn expr(&self, at: At, expr: &Expr) -> Need<()> {
        match expr {
            Expr::Const(_) | Expr::Pid | Expr::Processes | Expr::Last | Expr::Timeout => Ok(()),
            Expr::Load(place) => self.place(at, place),
            Expr::Unary(_, of) => self.expr(at, of),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                self.expr(at, a)?;
                match self.value(at, a) {
                    Some(value) if (value != 0) == (*op == Binary::And) => self.expr(at, b),
                    _ => Ok(()),
                }
            }
            Expr::Binary(_, a, b) => {
                self.expr(at, a)?;
                self.expr(at, b)
            }
            Expr::Cond(test, then, other) => {
                self.expr(at, test)?;
                match self.value(at, test) {
                    Some(0) => self.expr(at, other),
                    Some(_) => self.expr(at, then),
                    None => Ok(()),
                }
            }
            Expr::Len(of) | Expr::Full(of) | Expr::Empty(of) => {
                self.expr(at, of)?;
                self.promises(at)
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                self.expr(at, channel)?;
                for pattern in patterns {
                    if let Pattern::Match(value) = pattern {
                        self.expr(at, value)?;
                    }
                }
                self.promises(at)
            }
            Expr::Enabled(of) => {
                self.expr(at, of)?;
                self.everybody()
            }
            Expr::PcValue(of) | Expr::Priority(of) => {
                self.expr(at, of)?;
                self.value(at, of).map_or(Ok(()), |n| self.numbered(at, n))
            }
            Expr::At {
                proctype, process, ..
            } => self.referred(at, *proctype, process.as_deref()),
            Expr::Remote {
                proctype,
                process,
                place,
            } => {
                self.referred(at, *proctype, process.as_deref())?;
                for index in &place.indices {
                    self.expr(at, &index.expr)?;
                }
                Ok(())
            }
        }
    }

    fn referred(&self, at: At, proctype: u32, process: Option<&Expr>) -> Need<()> {
        let Some(process) = process else {
            return self.first_of(at, proctype);
        };
        self.expr(at, process)?;
        let number = self.value(at, process);
        number.map_or(Ok(()), |n| self.numbered(at, n))
    }

    /// The rest of a `d_step` behind an edge.
    fn rest(&self, at: At, me: usize, edge: &Edge) -> Need<()> {
        let proctype = at.state.processes[me].proctype as usize;
        let locations = &self.partial.program.proctypes[proctype].locations;
        let mut passed = BTreeSet::new();
        let mut open = vec![edge.target];
        while let Some(location) = open.pop() {
            let here = &locations[location as usize];
            if here.keep != Keep::DStep || !passed.insert(location) {
                continue;
            }
            for edge in &here.edges {
                self.whole_action(at, me, &edge.action)?;
                open.push(edge.target);
            }
        }
        Ok(())
    }

    fn whole_action(&self, at: At, me: usize, action: &Action) -> Need<()> {
        for part in parts(action) {
            match part {
                Part::Value(value) => self.whole_expr(at, Some(me), value)?,
                Part::Write(place) => self.whole_place(at, Some(me), place)?,
                Part::Channel(channel) => {
                    self.whole_expr(at, Some(me), channel)?;
                    self.message(at)?;
                }
            }
        }
        match action {
            Action::Run { proctype, .. } => self.inits(at, *proctype),
            Action::SetPriority(of, _) => self.any_process(at, Some(me), of),
            _ => Ok(()),
        }
    }

    /// All slots that a place can be, and its indices.
    fn whole_place(&self, at: At, me: Option<usize>, place: &Place) -> Need<()> {
        for index in &place.indices {
            self.whole_expr(at, me, &index.expr)?;
        }
        self.whole_slots(at, me, place)
    }

    fn whole_slots(&self, at: At, me: Option<usize>, place: &Place) -> Need<()> {
        if place.scope == Scope::Local {
            return Ok(());
        }
        let mut all = slots(place, |e| self.constant(at, me, e)).into_iter();
        all.try_for_each(|slot| self.owner(slot))
    }

    /// All that an expression can look at, in this state or a later one of the same step.
    fn whole_expr(&self, at: At, me: Option<usize>, expr: &Expr) -> Need<()> {
        let mut all = Vec::new();
        expr.visit(&mut |e| all.push(e));
        for e in all {
            match e {
                Expr::Load(place) => self.whole_slots(at, me, place)?,
                Expr::Enabled(_) => self.everybody()?,
                Expr::PcValue(of) | Expr::Priority(of) => {
                    self.any_process(at, me, of)?;
                }
                Expr::At {
                    proctype, process, ..
                }
                | Expr::Remote {
                    proctype, process, ..
                } => match process {
                    Some(of) => self.any_process(at, me, of)?,
                    None => self.first_of(at, *proctype)?,
                },
                Expr::Len(_) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. } => {
                    self.promises(at)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The process that an expression names, or all if it is not always the same.
    fn any_process(&self, at: At, me: Option<usize>, of: &Expr) -> Need<()> {
        match self.constant(at, me, of) {
            Some(number) => self.numbered(at, number),
            None => (0..at.state.processes.len()).try_for_each(|place| self.process(place)),
        }
    }

    /// The value of an expression that is constant for the lifetime of the process.
    fn constant(&self, at: At, me: Option<usize>, expr: &Expr) -> Option<i32> {
        let me = me?;
        let it = &at.state.processes[me];
        let fixed = &self.partial.fixed[it.proctype as usize];
        let varies = |e: &Expr| match e {
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) => false,
            Expr::Load(place) => {
                place.scope == Scope::Global
                    || !place.indices.is_empty()
                    || !fixed.get(place.base as usize).is_some_and(|fixed| *fixed)
            }
            _ => true,
        };
        match expr.any(varies) {
            true => None,
            false => at
                .state
                .eval(&self.partial.program, Some(me), false, expr)
                .ok(),
        }
    }
}
