//! Values of expressions in a state.

use super::State;
use super::arithmetic::{cut, one, two};
use crate::program::{Binary, Expr, Pattern, Place, Program, Scope, Unary, Violation};

impl State {
    /// The value of an expression as process `me` sees it (a claim is no process).
    pub fn eval(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        expr: &Expr,
    ) -> Result<i32, Violation> {
        let value = |e: &Expr| self.eval(program, me, timeout, e);
        let truth = |b: bool| Ok(i32::from(b));
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => self.load(program, me, timeout, place),
            Expr::Binary(Binary::And, a, b) => truth(value(a)? != 0 && value(b)? != 0),
            Expr::Binary(Binary::Or, a, b) => truth(value(a)? != 0 || value(b)? != 0),
            Expr::Binary(op, a, b) => two(*op, value(a)?, value(b)?),
            Expr::Cond(test, then, other) => match value(test)? {
                0 => value(other),
                _ => value(then),
            },
            Expr::Unary(Unary::Not, of) if matches!(**of, Expr::Full(_) | Expr::Empty(_)) => {
                // `nfull` is only against `xs`, and `nempty` only against `xr`.
                let (channel, receives) = match &**of {
                    Expr::Full(channel) => (channel, false),
                    Expr::Empty(channel) => (channel, true),
                    _ => return Ok(0),
                };
                let number = value(channel)?;
                self.keeps_promises(program, me, number, (receives, !receives))?;
                let length = self.messages(number)?.len();
                truth(match receives {
                    true => length > 0,
                    false => length < self.capacity(program, number)?,
                })
            }
            Expr::Len(channel) => {
                let number = value(channel)?;
                self.keeps_promises(program, me, number, (true, true))?;
                Ok(self.messages(number)?.len() as i32)
            }
            Expr::Full(channel) => {
                let number = value(channel)?;
                self.keeps_promises(program, me, number, (true, true))?;
                let capacity = self.capacity(program, number)?;
                truth(self.messages(number)?.len() >= capacity)
            }
            Expr::Empty(channel) => {
                let number = value(channel)?;
                self.keeps_promises(program, me, number, (true, true))?;
                truth(self.messages(number)?.is_empty())
            }
            Expr::Poll {
                channel,
                patterns,
                any,
            } => {
                let number = value(channel)?;
                self.keeps_promises(program, me, number, (true, true))?;
                truth(
                    self.matching(program, me, timeout, number, patterns, *any)?
                        .is_some(),
                )
            }
            Expr::Unary(op, a) => Ok(one(*op, value(a)?)),
            Expr::Pid => Ok(me.map_or(0, |me| me as i32)),
            Expr::Processes => Ok(self.processes.len() as i32),
            Expr::Last => Ok(self.last as i32),
            Expr::Timeout => truth(timeout),
            Expr::Enabled(process) => {
                let number = value(process)?;
                truth(self.is_enabled(program, me, number)?)
            }
            Expr::PcValue(process) => {
                let number = value(process)?;
                Ok(self.process(number).map_or(0, |p| p.location as i32))
            }
            Expr::Priority(process) => {
                let number = value(process)?;
                Ok(self.process(number).map_or(0, |p| i32::from(p.priority)))
            }
            Expr::At {
                proctype,
                process,
                locations,
            } => {
                let number = self.referred(program, me, timeout, *proctype, process.as_deref())?;
                let at = number.map(|n| self.processes[n].location);
                truth(at.is_some_and(|at| locations.contains(&at)))
            }
            Expr::Remote {
                proctype,
                process,
                place,
            } => {
                let number = self.referred(program, me, timeout, *proctype, process.as_deref())?;
                let slot = self.slot(program, me, timeout, place)?;
                let number = number.ok_or(Violation::Process)?;
                let locals = &self.processes[number].locals;
                locals.get(slot).copied().ok_or(Violation::Process)
            }
        }
    }

    /// A process receives from a channel, or sends to it: has no other one promised to be the only one? A claim may look.
    pub(super) fn keeps_promises(
        &self,
        program: &Program,
        me: Option<usize>,
        channel: i32,
        (receives, sends): (bool, bool),
    ) -> Result<(), Violation> {
        let Some(me) = me else {
            return Ok(());
        };
        for (other, process) in self.processes.iter().enumerate() {
            let promises = &program.proctypes[process.proctype as usize].promises;
            for promise in promises.iter().filter(|_| other != me) {
                let against = if promise.receives { receives } else { sends };
                let meant = self.eval(program, Some(other), false, &promise.channel);
                if against && meant == Ok(channel) {
                    return Err(Violation::Promise);
                }
            }
        }
        Ok(())
    }

    fn process(&self, number: i32) -> Option<&super::Process> {
        self.processes.get(usize::try_from(number).ok()?)
    }

    /// The process a remote reference means, if it is there and of the right proctype.
    fn referred(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        proctype: u32,
        process: Option<&Expr>,
    ) -> Result<Option<usize>, Violation> {
        let Some(process) = process else {
            return Ok(self.processes.iter().position(|p| p.proctype == proctype));
        };
        let number = self.eval(program, me, timeout, process)?;
        let found = self.process(number).filter(|p| p.proctype == proctype);
        Ok(found.map(|_| number as usize))
    }

    /// The slot of a place in its frame.
    pub fn slot(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        place: &Place,
    ) -> Result<usize, Violation> {
        let mut slot = place.base as usize;
        for index in &place.indices {
            let value = self.eval(program, me, timeout, &index.expr)?;
            match u32::try_from(value) {
                Ok(value) if value < index.bound => slot += (value * index.stride) as usize,
                _ => return Err(Violation::Index),
            }
        }
        Ok(slot)
    }

    fn load(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        place: &Place,
    ) -> Result<i32, Violation> {
        let slot = self.slot(program, me, timeout, place)?;
        Ok(match (place.scope, me) {
            (Scope::Global, _) => self.globals[slot],
            (Scope::Local, Some(me)) => self.processes[me].locals[slot],
            (Scope::Local, None) => 0,
        })
    }

    /// Stores a value, cut to the type of the place.
    pub(super) fn store(
        &mut self,
        program: &Program,
        me: usize,
        place: &Place,
        value: i32,
    ) -> Result<(), Violation> {
        let slot = self.slot(program, Some(me), false, place)?;
        let value = cut(place.ty, value);
        match place.scope {
            Scope::Global => self.globals[slot] = value,
            Scope::Local => self.processes[me].locals[slot] = value,
        }
        Ok(())
    }

    /// The place of a channel in the list.
    pub(super) fn channel(&self, number: i32) -> Result<usize, Violation> {
        match usize::try_from(number) {
            Ok(number) if number >= 1 && number <= self.channels.len() => Ok(number - 1),
            _ => Err(Violation::Channel),
        }
    }

    fn messages(&self, number: i32) -> Result<&[Vec<i32>], Violation> {
        Ok(&self.channels[self.channel(number)?].messages)
    }

    pub(super) fn capacity(&self, program: &Program, number: i32) -> Result<usize, Violation> {
        let kind = self.channels[self.channel(number)?].kind;
        Ok(program.channels[kind as usize].capacity as usize)
    }

    /// Which message of a channel a receive would take.
    pub(super) fn matching(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        number: i32,
        patterns: &[Pattern],
        any: bool,
    ) -> Result<Option<usize>, Violation> {
        let messages = self.messages(number)?;
        let candidates = if any {
            messages.len()
        } else {
            messages.len().min(1)
        };
        for (i, message) in messages.iter().take(candidates).enumerate() {
            if self.fits(program, me, timeout, message, patterns)? {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    /// Does a message have the values a receive wants?
    pub(super) fn fits(
        &self,
        program: &Program,
        me: Option<usize>,
        timeout: bool,
        message: &[i32],
        patterns: &[Pattern],
    ) -> Result<bool, Violation> {
        if message.len() != patterns.len() {
            return Err(Violation::Channel);
        }
        for (field, pattern) in message.iter().zip(patterns) {
            if let Pattern::Match(value) = pattern
                && self.eval(program, me, timeout, value)? != *field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
