//! Expressions. All values are 32-bit integers, as in C.

use super::{Pattern, Type};

/// The frame that holds a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Among the shared ones.
    Global,
    /// Among those of the process that evaluates.
    Local,
}

/// A variable, or an element of an array or structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// In which frame.
    pub scope: Scope,
    /// The first slot.
    pub base: u32,
    /// The slot is `base` plus the sum of `expr * stride`, where each `expr` must be in `0..bound`.
    pub indices: Vec<Index>,
    /// The type of every slot it can be.
    pub ty: Type,
}

/// An index into an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// Its value.
    pub expr: Expr,
    /// The length of the array.
    pub bound: u32,
    /// How many slots an element has.
    pub stride: u32,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a variable.
    Load(Place),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands; `&&` and `||` evaluate the second only if they need it.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(test -> then : otherwise)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(channel)`.
    Len(Box<Expr>),
    /// `full(channel)`; `nfull` is its negation.
    Full(Box<Expr>),
    /// `empty(channel)`; `nempty` is its negation.
    Empty(Box<Expr>),
    /// `channel ? [patterns]` or, with `any`, `channel ?? [patterns]`.
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// As many as the channel has fields; none stores.
        patterns: Vec<Pattern>,
        /// Any message, not only the first.
        any: bool,
    },
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    Processes,
    /// `_last`.
    Last,
    /// `timeout`: nothing else can be done in the whole system.
    Timeout,
    /// `enabled(process)`.
    Enabled(Box<Expr>),
    /// `pc_value(process)`.
    PcValue(Box<Expr>),
    /// `get_priority(process)`.
    Priority(Box<Expr>),
    /// `Name[process]@label`.
    At {
        /// The proctype it must be of.
        proctype: u32,
        /// The number of the process; none represents the only one of that proctype.
        process: Option<Box<Expr>>,
        /// The locations that have the label.
        locations: Vec<u32>,
    },
    /// `Name[process]:variable`.
    Remote {
        /// The proctype it must be of.
        proctype: u32,
        /// The number of the process; none represents the only one of that proctype.
        process: Option<Box<Expr>>,
        /// The variable, with indices in terms of the process that asks.
        place: Place,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl Binary {
    /// The value, where both operands are evaluated; none for a division by zero.
    /// Everything wraps around. A shift takes the count modulo 32, as the machines SPIN runs on do.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        let truth = i32::from;
        Some(match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div if b == 0 => return None,
            Binary::Div => a.wrapping_div(b),
            Binary::Rem if b == 0 => return None,
            Binary::Rem => a.wrapping_rem(b),
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::Shl => a.wrapping_shl(b as u32),
            Binary::Shr => a.wrapping_shr(b as u32),
            Binary::Lt => truth(a < b),
            Binary::Le => truth(a <= b),
            Binary::Gt => truth(a > b),
            Binary::Ge => truth(a >= b),
            Binary::Eq => truth(a == b),
            Binary::Ne => truth(a != b),
            Binary::And => truth(a != 0 && b != 0),
            Binary::Or => truth(a != 0 || b != 0),
        })
    }
}

impl Unary {
    /// The value.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Neg => a.wrapping_neg(),
            Unary::Not => i32::from(a == 0),
            Unary::Complement => !a,
        }
    }
}

impl Expr {
    /// Calls `see` for this expression and all within it, before their parts.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        see(self);
        let place = |place: &'a Place, see: &mut dyn FnMut(&'a Expr)| {
            for index in &place.indices {
                index.expr.visit_dyn(see);
            }
        };
        match self {
            Expr::Const(_) | Expr::Pid | Expr::Processes | Expr::Last | Expr::Timeout => {}
            Expr::Load(at) => place(at, see),
            Expr::Unary(_, a)
            | Expr::Len(a)
            | Expr::Full(a)
            | Expr::Empty(a)
            | Expr::Enabled(a)
            | Expr::PcValue(a)
            | Expr::Priority(a) => a.visit_dyn(see),
            Expr::Binary(_, a, b) => {
                a.visit_dyn(see);
                b.visit_dyn(see);
            }
            Expr::Cond(a, b, c) => {
                a.visit_dyn(see);
                b.visit_dyn(see);
                c.visit_dyn(see);
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                channel.visit_dyn(see);
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(value) => value.visit_dyn(see),
                        Pattern::Store(at) => place(at, see),
                        Pattern::Ignore => {}
                    }
                }
            }
            Expr::At { process, .. } => {
                if let Some(process) = process {
                    process.visit_dyn(see);
                }
            }
            Expr::Remote {
                process, place: at, ..
            } => {
                if let Some(process) = process {
                    process.visit_dyn(see);
                }
                place(at, see);
            }
        }
    }

    fn visit_dyn<'a>(&'a self, mut see: &mut dyn FnMut(&'a Expr)) {
        self.visit(&mut see);
    }

    /// May its evaluation fail in some state?
    pub fn may_fail(&self) -> bool {
        let index = |i: &Index| match &i.expr {
            Expr::Const(value) => u32::try_from(*value).is_ok_and(|v| v < i.bound),
            _ => false,
        };
        let safe = |e: &Expr| match e {
            Expr::Load(place) => place.indices.iter().all(index),
            Expr::Binary(Binary::Div | Binary::Rem, _, by) => {
                matches!(**by, Expr::Const(value) if value != 0)
            }
            Expr::Len(_) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. } => false,
            Expr::Enabled(_) | Expr::Remote { .. } => false,
            _ => true,
        };
        self.any(|e| !safe(e))
    }

    /// Whether any part is like that.
    pub fn any(&self, is: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= is(e));
        found
    }
}
