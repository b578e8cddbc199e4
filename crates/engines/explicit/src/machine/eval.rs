//! Runs compiled expressions.

use super::expr::STACK;
use super::op::{Cell, Code, Dest, Op, Value, Want};
use super::{Config, Machine};
use suppose_model::program::{Binary, Violation};

#[inline(always)]
fn apply(op: Binary, a: i32, b: i32) -> Result<i32, Violation> {
    op.apply(a, b).ok_or(Violation::Division)
}

impl Machine<'_> {
    #[inline(always)]
    pub(crate) fn eval(
        &self,
        words: &[u64],
        config: &Config,
        timeout: bool,
        value: Value,
    ) -> Result<i32, Violation> {
        match value {
            Value::Const(value) => Ok(value),
            Value::Load(field) => Ok(field.get(words)),
            Value::FieldConst(op, field, constant) => apply(op, field.get(words), constant),
            Value::Code(code) => self.run(words, config, timeout, code),
        }
    }

    fn run(
        &self,
        words: &[u64],
        config: &Config,
        timeout: bool,
        code: Code,
    ) -> Result<i32, Violation> {
        // The compiler refuses what needs more of a stack; masking spares the check of bounds.
        const MASK: usize = STACK - 1;
        let mut stack = [0i32; STACK];
        let mut top = MASK;
        let ops = &self.ops[code.start as usize..code.end as usize];
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            match *op {
                Op::Const(value) => {
                    top = (top + 1) & MASK;
                    stack[top] = value;
                }
                Op::Load(field) => {
                    top = (top + 1) & MASK;
                    stack[top] = field.get(words);
                }
                Op::Cell { frame, base } => {
                    let slot = base as usize + stack[top] as usize;
                    stack[top] = match self.cell(frame, slot).ok_or(Violation::Index)? {
                        Cell::Field(field) => field.get(words),
                        Cell::Always(value) => value,
                    };
                }
                Op::Index { bound, stride } => {
                    let value = stack[top] as u32;
                    if value >= bound {
                        return Err(Violation::Index);
                    }
                    stack[top] = value.wrapping_mul(stride) as i32;
                }
                Op::Binary(op) => {
                    let right = stack[top];
                    top = top.wrapping_sub(1) & MASK;
                    stack[top] = apply(op, stack[top], right)?;
                }
                Op::BinaryConst(op, constant) => stack[top] = apply(op, stack[top], constant)?,
                Op::FieldConst(op, field, constant) => {
                    top = (top + 1) & MASK;
                    stack[top] = apply(op, field.get(words), constant)?;
                }
                Op::FieldField(op, a, b) => {
                    top = (top + 1) & MASK;
                    stack[top] = apply(op, a.get(words), b.get(words))?;
                }
                Op::Unary(op) => stack[top] = op.apply(stack[top]),
                Op::Truth => stack[top] = i32::from(stack[top] != 0),
                Op::AndSkip(over) => match stack[top] {
                    0 => at += over as usize,
                    _ => top = top.wrapping_sub(1) & MASK,
                },
                Op::OrSkip(over) => match stack[top] {
                    0 => top = top.wrapping_sub(1) & MASK,
                    _ => {
                        stack[top] = 1;
                        at += over as usize;
                    }
                },
                Op::IfSkip(over) => {
                    if stack[top] == 0 {
                        at += over as usize;
                    }
                    top = top.wrapping_sub(1) & MASK;
                }
                Op::Skip(over) => at += over as usize,
                Op::Promised {
                    process,
                    receives,
                    sends,
                } => {
                    let one = process as usize;
                    self.keeps(words, config, one, stack[top], (receives, sends))?;
                }
                Op::Len | Op::Full | Op::Empty | Op::Poll(_) => {
                    stack[top] = self.channel_op(words, config, timeout, *op, stack[top])?;
                }
                Op::Processes => {
                    top = (top + 1) & MASK;
                    stack[top] = config.processes.len() as i32;
                }
                Op::Timeout => {
                    top = (top + 1) & MASK;
                    stack[top] = i32::from(timeout);
                }
                Op::PcValue | Op::At(_) => {
                    stack[top] = self.process_op(words, config, *op, stack[top]);
                }
                Op::Remote(number) => {
                    let process = stack[top];
                    top = top.wrapping_sub(1) & MASK;
                    stack[top] = self.remote(words, config, number, process, stack[top])?;
                }
                Op::First(proctype) => {
                    top = (top + 1) & MASK;
                    let found = config.processes.iter();
                    let mut found = found.map(|p| self.codes[*p as usize].proctype);
                    stack[top] = found.position(|p| p == proctype).map_or(-1, |p| p as i32);
                }
                Op::Fail(violation) => return Err(violation),
            }
        }
        Ok(stack[top])
    }

    /// Has no other process promised to be the only one that receives from the channel, or sends to it?
    #[inline(always)]
    pub(super) fn keeps(
        &self,
        words: &[u64],
        config: &Config,
        one: usize,
        channel: i32,
        uses: (bool, bool),
    ) -> Result<(), Violation> {
        match self.promises {
            false => Ok(()),
            true => self.keeps_promises(words, config, one, channel, uses),
        }
    }

    #[cold]
    fn keeps_promises(
        &self,
        words: &[u64],
        config: &Config,
        one: usize,
        channel: i32,
        (receives, sends): (bool, bool),
    ) -> Result<(), Violation> {
        for (other, code) in config.processes.iter().enumerate() {
            for (promised, to_receive) in &self.codes[*code as usize].promises {
                let against = if *to_receive { receives } else { sends };
                if other != one
                    && against
                    && self.eval(words, config, false, *promised) == Ok(channel)
                {
                    return Err(Violation::Promise);
                }
            }
        }
        Ok(())
    }

    fn channel_op(
        &self,
        words: &[u64],
        config: &Config,
        timeout: bool,
        op: Op,
        number: i32,
    ) -> Result<i32, Violation> {
        let channel = config.channel(number)?;
        let len = channel.len(words);
        Ok(i32::from(match op {
            Op::Full => len >= channel.capacity,
            Op::Empty => len == 0,
            Op::Poll(poll) => {
                let poll = &self.polls[poll as usize];
                self.matching(words, config, timeout, number, &poll.wants, poll.any)?
                    .is_some()
            }
            _ => return Ok(len as i32),
        }))
    }

    fn process_op(&self, words: &[u64], config: &Config, op: Op, number: i32) -> i32 {
        let Some(code) = config.process(number) else {
            return 0;
        };
        let code = &self.codes[code as usize];
        let location = code.pc.get(words);
        match op {
            Op::At(at) => {
                let at = &self.ats[at as usize];
                let there = at.locations.contains(&(location as u32));
                i32::from(at.proctype == code.proctype && there)
            }
            _ => location,
        }
    }

    fn remote(
        &self,
        words: &[u64],
        config: &Config,
        number: u32,
        process: i32,
        offset: i32,
    ) -> Result<i32, Violation> {
        let remote = &self.remotes[number as usize];
        let code = config.process(process).ok_or(Violation::Process)?;
        let code = &self.codes[code as usize];
        if code.proctype != remote.proctype {
            return Err(Violation::Process);
        }
        let slot = remote.base as usize + offset as usize;
        match code.cells.get(slot) {
            Some(Cell::Field(field)) => Ok(field.get(words)),
            Some(Cell::Always(value)) => Ok(*value),
            None => Err(Violation::Process),
        }
    }

    /// Which message of a channel fits.
    pub(super) fn matching(
        &self,
        words: &[u64],
        config: &Config,
        timeout: bool,
        number: i32,
        wants: &[Want],
        any: bool,
    ) -> Result<Option<u32>, Violation> {
        let channel = config.channel(number)?;
        let len = channel.len(words);
        let candidates = if any { len } else { len.min(1) };
        for message in 0..candidates {
            if wants.len() != channel.fields.len() {
                return Err(Violation::Channel);
            }
            let mut fits = true;
            for (field, want) in wants.iter().enumerate() {
                if let Want::Match(value) = want
                    && self.eval(words, config, timeout, *value)?
                        != channel.field(message, field).get(words)
                {
                    fits = false;
                    break;
                }
            }
            if fits {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Stores a value, cut to the place's type.
    #[inline(always)]
    pub(super) fn store(
        &self,
        words: &mut [u64],
        config: &Config,
        dest: Dest,
        value: i32,
    ) -> Result<(), Violation> {
        match dest {
            Dest::Field(field) => field.set(words, value),
            Dest::Slot { frame, base, index } => {
                let offset = self.eval(words, config, false, index)?;
                let slot = base as usize + offset as usize;
                match self.cell(frame, slot) {
                    Some(Cell::Field(field)) => field.set(words, value),
                    _ => return Err(Violation::Index),
                }
            }
        }
        Ok(())
    }
}
