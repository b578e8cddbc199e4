//! Compiled expressions: numbers on a small stack.

use super::bits::Field;
use suppose_model::program::{Binary, Type, Unary, Violation};

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Pushes it.
    Const(i32),
    /// Pushes the number in the state.
    Load(Field),
    /// Replaces the slot of a frame on top (less `base`) by what is there.
    Cell { frame: Frame, base: u32 },
    /// Replaces an index on top by the slots it skips; wrong when it is not below the bound.
    Index { bound: u32, stride: u32 },
    /// Replaces two by one.
    Binary(Binary),
    /// Replaces the top.
    BinaryConst(Binary, i32),
    /// Pushes the result of a number in the state and a constant.
    FieldConst(Binary, Field, i32),
    /// Pushes the result of two numbers in the state.
    FieldField(Binary, Field, Field),
    /// Replaces the top.
    Unary(Unary),
    /// Makes the top 0 or 1.
    Truth,
    /// Skips this many if the top is 0, and leaves it there; otherwise pops it.
    AndSkip(u32),
    /// Skips this many if the top is not 0, and leaves 1 there; otherwise pops it.
    OrSkip(u32),
    /// Pops, and skips this many if it was 0.
    IfSkip(u32),
    /// Skips this many.
    Skip(u32),
    /// Wrong if another process than this one has the channel on top for itself, to receive from or to send to.
    Promised {
        process: u32,
        receives: bool,
        sends: bool,
    },
    /// Replaces a channel on top by its length.
    Len,
    /// Replaces a channel on top.
    Full,
    /// Replaces a channel on top.
    Empty,
    /// Replaces a channel on top.
    Poll(u32),
    /// Pushes the number of processes.
    Processes,
    /// Pushes whether this is the time for `timeout`.
    Timeout,
    /// Replaces a process on top by its location.
    PcValue,
    /// Replaces a process on top.
    At(u32),
    /// Replaces a process on top and, under it, a slot less the base by what is there.
    Remote(u32),
    /// Pushes the first process of a proctype, or -1.
    First(u32),
    /// Goes wrong.
    Fail(Violation),
}

/// Which variables: the shared ones or those of a compiled process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Global,
    Process(u32),
}

/// Where a variable is, or what it always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Field(Field),
    Always(i32),
}

/// A compiled expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Const(i32),
    Load(Field),
    FieldConst(Binary, Field, i32),
    Code(Code),
}

/// A range of instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dest {
    Field(Field),
    /// The slot is `base` plus the sum of the indices.
    Slot {
        frame: Frame,
        base: u32,
        index: Value,
    },
}

/// What a receive or a poll wants of a message.
#[derive(Clone, Debug)]
pub(crate) enum Want {
    Match(Value),
    Store(Dest),
    Ignore,
}

#[derive(Clone, Debug)]
pub(crate) struct PollCode {
    pub(crate) wants: Vec<Want>,
    pub(crate) any: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct AtCode {
    pub(crate) proctype: u32,
    pub(crate) locations: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct RemoteCode {
    pub(crate) proctype: u32,
    pub(crate) base: u32,
}

/// How a type is kept: bits of the value, bits of the place, sign.
pub(crate) fn shape(ty: Type) -> (u32, u32, bool) {
    let bits = ty.bits().clamp(1, 32);
    (bits, bits.next_power_of_two(), ty == Type::Short)
}
