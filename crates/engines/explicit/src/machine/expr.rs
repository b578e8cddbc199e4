//! Compiles expressions.

use super::exclusive::Use;
use super::op::{AtCode, Cell, Code, Dest, Frame, Op, PollCode, RemoteCode, Value, Want};
use super::{Machine, Unsupported};
use suppose_model::program::{Binary, Expr, Pattern, Place, Scope, Unary, Violation};

/// Who evaluates: compiled process and number. A claim is nobody.
#[derive(Clone, Copy)]
pub(super) struct Who {
    pub(super) code: Option<u32>,
    pub(super) pid: i32,
}

/// How many numbers the stack of an evaluation holds.
pub(super) const STACK: usize = 32;

/// How many places of the stack an expression needs at most.
fn need(expr: &Expr) -> usize {
    let place = |at: &Place| {
        at.indices
            .iter()
            .map(|i| 1 + need(&i.expr))
            .max()
            .unwrap_or(1)
    };
    match expr {
        Expr::Binary(_, a, b) => need(a).max(1 + need(b)),
        Expr::Cond(a, b, c) => need(a).max(need(b)).max(need(c)),
        Expr::Load(at) => place(at),
        Expr::Unary(_, a)
        | Expr::Len(a)
        | Expr::Full(a)
        | Expr::Empty(a)
        | Expr::Enabled(a)
        | Expr::PcValue(a)
        | Expr::Priority(a) => need(a),
        Expr::Poll { channel, .. } => need(channel),
        Expr::At { process, .. } => process.as_deref().map_or(1, need),
        Expr::Remote {
            process, place: at, ..
        } => place(at).max(1 + process.as_deref().map_or(1, need)),
        Expr::Const(_) | Expr::Pid | Expr::Processes | Expr::Last | Expr::Timeout => 1,
    }
}

impl Machine<'_> {
    /// Compiles an expression.
    pub(super) fn value(&mut self, who: Who, expr: &Expr) -> Result<Value, Unsupported> {
        if need(expr) + 2 > STACK {
            return Err("an expression is nested too deeply for this engine".to_owned());
        }
        let mut ops = Vec::new();
        if let Some(constant) = self.emit(who, expr, &mut ops)? {
            return Ok(Value::Const(constant));
        }
        Ok(match ops[..] {
            [Op::Load(field)] => Value::Load(field),
            [Op::FieldConst(op, field, constant)] => Value::FieldConst(op, field, constant),
            _ => {
                let start = self.ops.len() as u32;
                self.ops.append(&mut ops);
                let end = self.ops.len() as u32;
                Value::Code(Code { start, end })
            }
        })
    }

    fn frame(&self, who: Who, scope: Scope) -> Option<Frame> {
        match scope {
            Scope::Global => Some(Frame::Global),
            Scope::Local => who.code.map(Frame::Process),
        }
    }

    /// The sum of the indices of a place; a constant where it is one.
    fn offset(
        &mut self,
        who: Who,
        place: &Place,
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        let mut sum = Some(0i32);
        for index in &place.indices {
            let before = ops.len();
            let scaled = match self.emit(who, &index.expr, ops)? {
                Some(value) if value >= 0 && (value as u32) < index.bound => {
                    Some(value.wrapping_mul(index.stride as i32))
                }
                Some(_) => {
                    ops.push(Op::Fail(Violation::Index));
                    None
                }
                None => {
                    let (bound, stride) = (index.bound, index.stride);
                    ops.push(Op::Index { bound, stride });
                    None
                }
            };
            sum = match (sum, scaled) {
                (Some(a), Some(b)) => Some(a.wrapping_add(b)),
                (Some(0), None) => None,
                (Some(a), None) => {
                    ops.push(Op::BinaryConst(Binary::Add, a));
                    None
                }
                (None, Some(b)) => {
                    ops.push(Op::BinaryConst(Binary::Add, b));
                    None
                }
                (None, None) => {
                    debug_assert!(ops.len() > before);
                    ops.push(Op::Binary(Binary::Add));
                    None
                }
            };
        }
        Ok(sum)
    }

    fn emit_load(
        &mut self,
        who: Who,
        place: &Place,
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        let Some(frame) = self.frame(who, place.scope) else {
            // A claim has no variables of its own; they read as 0.
            return Ok(Some(0));
        };
        let offset = self.offset(who, place, ops)?;
        let base = place.base;
        let Some(offset) = offset else {
            ops.push(Op::Cell { frame, base });
            return Ok(None);
        };
        match self.cell(frame, base as usize + offset as usize) {
            Some(Cell::Always(value)) => Ok(Some(value)),
            Some(Cell::Field(field)) => {
                ops.push(Op::Load(field));
                Ok(None)
            }
            None => {
                ops.push(Op::Fail(Violation::Index));
                Ok(None)
            }
        }
    }

    /// Where a store goes.
    pub(super) fn dest(&mut self, who: Who, place: &Place) -> Result<Dest, Unsupported> {
        let mut ops = Vec::new();
        let frame = self
            .frame(who, place.scope)
            .ok_or("a claim cannot write variables")?;
        let base = place.base;
        let index = match self.offset(who, place, &mut ops)? {
            Some(offset) => match self.cell(frame, base as usize + offset as usize) {
                Some(Cell::Field(field)) => return Ok(Dest::Field(field)),
                _ => Value::Const(offset),
            },
            None => {
                if ops.len() > 4096 {
                    return Err("an index is nested too deeply for this engine".to_owned());
                }
                let start = self.ops.len() as u32;
                self.ops.append(&mut ops);
                let end = self.ops.len() as u32;
                Value::Code(Code { start, end })
            }
        };
        Ok(Dest::Slot { frame, base, index })
    }

    pub(super) fn wants(
        &mut self,
        who: Who,
        patterns: &[Pattern],
    ) -> Result<Vec<Want>, Unsupported> {
        let mut wants = Vec::new();
        for pattern in patterns {
            wants.push(match pattern {
                Pattern::Match(value) => Want::Match(self.value(who, value)?),
                Pattern::Store(place) => Want::Store(self.dest(who, place)?),
                Pattern::Ignore => Want::Ignore,
            });
        }
        Ok(wants)
    }

    /// Emits code that pushes the value, or gives the value where it is constant.
    fn emit(
        &mut self,
        who: Who,
        expr: &Expr,
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        match expr {
            Expr::Const(value) => return Ok(Some(*value)),
            Expr::Pid => return Ok(Some(who.pid)),
            Expr::Load(place) => return self.emit_load(who, place, ops),
            Expr::Unary(Unary::Not, of) if matches!(**of, Expr::Full(_) | Expr::Empty(_)) => {
                // `nfull` is only against `xs`, and `nempty` only against `xr`.
                match &**of {
                    Expr::Full(channel) => {
                        self.emit_watched(who, channel, ops, (Op::Full, false, true))?;
                    }
                    Expr::Empty(channel) => {
                        self.emit_watched(who, channel, ops, (Op::Empty, true, false))?;
                    }
                    _ => {}
                }
                ops.push(Op::Unary(Unary::Not));
            }
            Expr::Unary(op, a) => match self.emit(who, a, ops)? {
                Some(value) => return Ok(Some(op.apply(value))),
                None => ops.push(Op::Unary(*op)),
            },
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                return self.emit_logic(who, *op, a, b, ops);
            }
            Expr::Binary(op, a, b) => return self.emit_binary(who, *op, a, b, ops),
            Expr::Cond(test, then, other) => {
                return self.emit_cond(who, [test, then, other], ops);
            }
            Expr::Len(channel) => self.emit_channel(who, channel, ops, Op::Len)?,
            Expr::Full(channel) => self.emit_channel(who, channel, ops, Op::Full)?,
            Expr::Empty(channel) => self.emit_channel(who, channel, ops, Op::Empty)?,
            Expr::Poll {
                channel,
                patterns,
                any,
            } => {
                let wants = self.wants(who, patterns)?;
                let number = self.polls.len() as u32;
                self.polls.push(PollCode { wants, any: *any });
                self.emit_channel(who, channel, ops, Op::Poll(number))?;
            }
            Expr::Processes => ops.push(Op::Processes),
            Expr::Last => match self.last {
                Some(field) => ops.push(Op::Load(field)),
                None => return Ok(Some(0)),
            },
            Expr::Timeout => ops.push(Op::Timeout),
            Expr::PcValue(process) => {
                self.push(who, process, ops)?;
                ops.push(Op::PcValue);
            }
            Expr::At {
                proctype,
                process,
                locations,
            } => {
                self.emit_process(who, *proctype, process.as_deref(), ops)?;
                let number = self.ats.len() as u32;
                self.ats.push(AtCode {
                    proctype: *proctype,
                    locations: locations.clone(),
                });
                ops.push(Op::At(number));
            }
            Expr::Remote {
                proctype,
                process,
                place,
            } => {
                if let Some(offset) = self.offset(who, place, ops)? {
                    ops.push(Op::Const(offset));
                }
                self.emit_process(who, *proctype, process.as_deref(), ops)?;
                let number = self.remotes.len() as u32;
                self.remotes.push(RemoteCode {
                    proctype: *proctype,
                    base: place.base,
                });
                ops.push(Op::Remote(number));
            }
            Expr::Enabled(_) | Expr::Priority(_) => {
                return Err("priorities and enabled() are beyond this engine".to_owned());
            }
        }
        Ok(None)
    }

    /// Emits code that pushes the value, constant or not.
    fn push(&mut self, who: Who, expr: &Expr, ops: &mut Vec<Op>) -> Result<(), Unsupported> {
        if let Some(value) = self.emit(who, expr, ops)? {
            ops.push(Op::Const(value));
        }
        Ok(())
    }

    fn emit_channel(
        &mut self,
        who: Who,
        channel: &Expr,
        ops: &mut Vec<Op>,
        op: Op,
    ) -> Result<(), Unsupported> {
        self.emit_watched(who, channel, ops, (op, true, true))
    }

    /// A look at a channel, which may be against a promise.
    fn emit_watched(
        &mut self,
        who: Who,
        channel: &Expr,
        ops: &mut Vec<Op>,
        (op, receives, sends): (Op, bool, bool),
    ) -> Result<(), Unsupported> {
        let number = self.emit(who, channel, ops)?;
        ops.extend(number.map(Op::Const));
        self.exclusive.note(number, Use::Look, who.pid as u32);
        if self.promises && who.code.is_some() {
            ops.push(Op::Promised {
                process: who.pid as u32,
                receives,
                sends,
            });
        }
        ops.push(op);
        Ok(())
    }

    fn emit_process(
        &mut self,
        who: Who,
        proctype: u32,
        process: Option<&Expr>,
        ops: &mut Vec<Op>,
    ) -> Result<(), Unsupported> {
        match process {
            Some(process) => self.push(who, process, ops),
            None => {
                ops.push(Op::First(proctype));
                Ok(())
            }
        }
    }

    fn emit_binary(
        &mut self,
        who: Who,
        op: Binary,
        a: &Expr,
        b: &Expr,
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        let before = ops.len();
        let left = self.emit(who, a, ops)?;
        let middle = ops.len();
        let right = self.emit(who, b, ops)?;
        match (left, right) {
            (Some(x), Some(y)) => match op.apply(x, y) {
                Some(value) => return Ok(Some(value)),
                None => ops.push(Op::Fail(Violation::Division)),
            },
            (None, Some(y)) => match ops[before..] {
                [Op::Load(field)] => {
                    ops.truncate(before);
                    ops.push(Op::FieldConst(op, field, y));
                }
                _ => ops.push(Op::BinaryConst(op, y)),
            },
            (Some(x), None) => {
                // Skips are relative, so code can be put before others.
                ops.insert(middle, Op::Const(x));
                ops.push(Op::Binary(op));
            }
            (None, None) => match ops[before..] {
                [Op::Load(x), Op::Load(y)] => {
                    ops.truncate(before);
                    ops.push(Op::FieldField(op, x, y));
                }
                _ => ops.push(Op::Binary(op)),
            },
        }
        Ok(None)
    }

    fn emit_logic(
        &mut self,
        who: Who,
        op: Binary,
        a: &Expr,
        b: &Expr,
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        let is_and = op == Binary::And;
        if let Some(left) = self.emit(who, a, ops)? {
            if (left != 0) != is_and {
                return Ok(Some(i32::from(!is_and)));
            }
            return match self.emit(who, b, ops)? {
                Some(right) => Ok(Some(i32::from(right != 0))),
                None => {
                    ops.push(Op::Truth);
                    Ok(None)
                }
            };
        }
        let skip = ops.len();
        ops.push(Op::Truth);
        self.push(who, b, ops)?;
        ops.push(Op::Truth);
        let over = (ops.len() - skip - 1) as u32;
        ops[skip] = match is_and {
            true => Op::AndSkip(over),
            false => Op::OrSkip(over),
        };
        Ok(None)
    }

    fn emit_cond(
        &mut self,
        who: Who,
        [test, then, other]: [&Expr; 3],
        ops: &mut Vec<Op>,
    ) -> Result<Option<i32>, Unsupported> {
        if let Some(test) = self.emit(who, test, ops)? {
            return self.emit(who, if test != 0 { then } else { other }, ops);
        }
        let skip = ops.len();
        ops.push(Op::Unary(Unary::Not));
        self.push(who, then, ops)?;
        let end = ops.len();
        ops.push(Op::Truth);
        ops[skip] = Op::IfSkip((ops.len() - skip - 1) as u32);
        self.push(who, other, ops)?;
        ops[end] = Op::Skip((ops.len() - end - 1) as u32);
        Ok(None)
    }
}
