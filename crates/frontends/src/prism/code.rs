//! Compiled expressions over integers and truth values.
//!
//! An expression becomes a short program for a stack machine if nothing in it can fail: no division,
//! no overflow (by the ranges of the variables), no double. Everything else is left to [`super::value`].

use super::ast::{Compare, Function, Type};
use super::term::{Term, TermKind};
use super::value::{self, Fault};

/// As deep as the stack of the machine is.
const STACK: usize = 24;

#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Const(i64),
    Var(u32),
    /// Is the variable in this range?
    Within(u32, i64, i64),
    Add,
    Sub,
    Mul,
    Neg,
    Not,
    Eq,
    Ne,
    Lt,
    Le,
    Min,
    Max,
    Mod(i64),
    /// Goes on there if the top is false, else drops it.
    UnlessFalse(u32),
    /// Goes on there if the top is true, else drops it.
    UnlessTrue(u32),
    /// Drops the top and continues there if it was false.
    JumpIfFalse(u32),
    Jump(u32),
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Const(i64),
    Var(u32),
    Fast(Box<[Op]>),
    Slow(Box<Term>),
}

impl Code {
    /// Compiles; `range` gives the least and greatest value of a variable.
    pub(super) fn new(term: &Term, range: &dyn Fn(u32) -> (i64, i64)) -> Code {
        match term.kind {
            TermKind::Bool(b) => return Code::Const(i64::from(b)),
            TermKind::Int(n) => return Code::Const(n),
            TermKind::Var(v) => return Code::Var(v),
            _ => {}
        }
        let mut compiler = Compiler {
            ops: Vec::new(),
            depth: 0,
            range,
        };
        match compiler.compile(term) {
            Some(_) => Code::Fast(compiler.ops.into()),
            None => Code::Slow(Box::new(term.clone())),
        }
    }

    /// Can it fail?
    pub(super) fn is_slow(&self) -> bool {
        matches!(self, Code::Slow(_))
    }

    /// The value, truth values being 0 and 1.
    #[inline]
    pub(super) fn run(&self, values: &[i64]) -> Result<i64, Fault> {
        match self {
            Code::Const(n) => Ok(*n),
            Code::Var(v) => Ok(values[*v as usize]),
            Code::Fast(ops) => Ok(run(ops, values)),
            Code::Slow(term) => value::integer(term, &|v| values.get(v as usize).copied()),
        }
    }
}

fn run(ops: &[Op], values: &[i64]) -> i64 {
    let mut stack = [0i64; STACK];
    // Always one past the top.
    let mut top = 0;
    let mut at = 0;
    while let Some(op) = ops.get(at) {
        at += 1;
        match *op {
            Op::Const(n) => {
                stack[top] = n;
                top += 1;
            }
            Op::Var(v) => {
                stack[top] = values[v as usize];
                top += 1;
            }
            Op::Within(v, low, high) => {
                let value = values[v as usize];
                stack[top] = i64::from(low <= value && value <= high);
                top += 1;
            }
            Op::Neg => stack[top - 1] = stack[top - 1].wrapping_neg(),
            Op::Not => stack[top - 1] ^= 1,
            Op::Mod(by) => stack[top - 1] = stack[top - 1].rem_euclid(by),
            Op::UnlessFalse(to) if stack[top - 1] == 0 => at = to as usize,
            Op::UnlessTrue(to) if stack[top - 1] != 0 => at = to as usize,
            Op::UnlessFalse(_) | Op::UnlessTrue(_) => top -= 1,
            Op::JumpIfFalse(to) => {
                top -= 1;
                if stack[top] == 0 {
                    at = to as usize;
                }
            }
            Op::Jump(to) => at = to as usize,
            Op::Add | Op::Sub | Op::Mul | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Min | Op::Max => {
                top -= 1;
                let (a, b) = (stack[top - 1], stack[top]);
                stack[top - 1] = match *op {
                    Op::Add => a.wrapping_add(b),
                    Op::Sub => a.wrapping_sub(b),
                    Op::Mul => a.wrapping_mul(b),
                    Op::Eq => i64::from(a == b),
                    Op::Ne => i64::from(a != b),
                    Op::Lt => i64::from(a < b),
                    Op::Le => i64::from(a <= b),
                    Op::Min => a.min(b),
                    _ => a.max(b),
                };
            }
        }
    }
    stack[0]
}

struct Compiler<'a> {
    ops: Vec<Op>,
    depth: usize,
    range: &'a dyn Fn(u32) -> (i64, i64),
}

/// The values an expression can have.
type Bounds = (i64, i64);

impl Compiler<'_> {
    fn push(&mut self, op: Op) -> Option<()> {
        self.ops.push(op);
        self.depth += 1;
        (self.depth < STACK).then_some(())
    }

    fn apply(&mut self, op: Op) {
        self.ops.push(op);
        self.depth -= 1;
    }

    /// None if it does not fit the machine. The result is on the stack then, and its bounds are known.
    fn compile(&mut self, term: &Term) -> Option<Bounds> {
        if term.ty == Type::Real {
            return None;
        }
        match &term.kind {
            TermKind::Bool(b) => {
                self.push(Op::Const(i64::from(*b)))?;
                Some((i64::from(*b), i64::from(*b)))
            }
            TermKind::Int(n) => {
                self.push(Op::Const(*n))?;
                Some((*n, *n))
            }
            TermKind::Real(_) => None,
            TermKind::Var(v) => {
                self.push(Op::Var(*v))?;
                Some((self.range)(*v))
            }
            TermKind::Not(a) => {
                self.compile(a)?;
                self.ops.push(Op::Not);
                Some((0, 1))
            }
            TermKind::Neg(a) => {
                let (low, high) = self.compile(a)?;
                self.ops.push(Op::Neg);
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            TermKind::And(parts) => self.junction(parts, Op::UnlessFalse),
            TermKind::Or(parts) => self.junction(parts, Op::UnlessTrue),
            TermKind::Implies(a, b) => {
                self.compile(a)?;
                self.ops.push(Op::Not);
                let jump = self.hole();
                self.depth -= 1;
                self.compile(b)?;
                self.fill(jump, Op::UnlessTrue);
                Some((0, 1))
            }
            TermKind::Iff(a, b) => {
                self.compile(a)?;
                self.compile(b)?;
                self.apply(Op::Eq);
                Some((0, 1))
            }
            TermKind::Compare(op, a, b) => self.compare(*op, a, b),
            TermKind::Cond(test, then, otherwise) => self.cond(test, then, otherwise),
            TermKind::Sum(parts) => self.sum(parts),
            TermKind::Product(parts) => self.product(parts),
            TermKind::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// A place for a jump whose target is not known yet.
    fn hole(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }

    fn fill(&mut self, hole: usize, make: impl Fn(u32) -> Op) {
        self.ops[hole] = make(self.ops.len() as u32);
    }

    fn junction(&mut self, parts: &[Term], make: impl Fn(u32) -> Op + Copy) -> Option<Bounds> {
        let mut holes = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                holes.push(self.hole());
                self.depth -= 1;
            }
            self.compile(part)?;
        }
        for hole in holes {
            self.fill(hole, make);
        }
        Some((0, 1))
    }

    fn compare(&mut self, op: Compare, a: &Term, b: &Term) -> Option<Bounds> {
        if let Some((v, low, high)) = within(op, a, b) {
            self.push(Op::Within(v, low, high))?;
            return Some((0, 1));
        }
        // `a > b` is `b < a`: no operand can fail, so their order does not matter.
        let (first, second, op) = match op {
            Compare::Eq => (a, b, Op::Eq),
            Compare::Ne => (a, b, Op::Ne),
            Compare::Lt => (a, b, Op::Lt),
            Compare::Le => (a, b, Op::Le),
            Compare::Gt => (b, a, Op::Lt),
            Compare::Ge => (b, a, Op::Le),
        };
        self.compile(first)?;
        self.compile(second)?;
        self.apply(op);
        Some((0, 1))
    }

    fn cond(&mut self, test: &Term, then: &Term, otherwise: &Term) -> Option<Bounds> {
        self.compile(test)?;
        let to_else = self.hole();
        self.depth -= 1;
        let a = self.compile(then)?;
        let to_end = self.hole();
        self.fill(to_else, Op::JumpIfFalse);
        self.depth -= 1;
        let b = self.compile(otherwise)?;
        self.fill(to_end, Op::Jump);
        Some((a.0.min(b.0), a.1.max(b.1)))
    }

    fn sum(&mut self, parts: &[(bool, Term)]) -> Option<Bounds> {
        let mut total: Option<Bounds> = None;
        for (minus, part) in parts {
            let bounds = self.compile(part)?;
            total = Some(match (total, minus) {
                (None, false) => bounds,
                (None, true) => return None,
                (Some(sum), false) => {
                    self.apply(Op::Add);
                    (sum.0.checked_add(bounds.0)?, sum.1.checked_add(bounds.1)?)
                }
                (Some(sum), true) => {
                    self.apply(Op::Sub);
                    (sum.0.checked_sub(bounds.1)?, sum.1.checked_sub(bounds.0)?)
                }
            });
        }
        total
    }

    fn product(&mut self, parts: &[(bool, Term)]) -> Option<Bounds> {
        let mut total: Option<Bounds> = None;
        for (_, part) in parts {
            let bounds = self.compile(part)?;
            total = Some(match total {
                None => bounds,
                Some(product) => {
                    self.apply(Op::Mul);
                    let corners = [
                        product.0.checked_mul(bounds.0)?,
                        product.0.checked_mul(bounds.1)?,
                        product.1.checked_mul(bounds.0)?,
                        product.1.checked_mul(bounds.1)?,
                    ];
                    let low = corners.iter().copied().min()?;
                    (low, corners.iter().copied().max()?)
                }
            });
        }
        total
    }

    fn call(&mut self, function: Function, arguments: &[Term]) -> Option<Bounds> {
        match function {
            Function::Min | Function::Max => {
                let op = if function == Function::Min {
                    Op::Min
                } else {
                    Op::Max
                };
                let mut total = self.compile(arguments.first()?)?;
                for argument in &arguments[1..] {
                    let bounds = self.compile(argument)?;
                    self.apply(op);
                    total = match function {
                        Function::Min => (total.0.min(bounds.0), total.1.min(bounds.1)),
                        _ => (total.0.max(bounds.0), total.1.max(bounds.1)),
                    };
                }
                Some(total)
            }
            Function::Mod => {
                let TermKind::Int(by) = arguments.get(1)?.kind else {
                    return None;
                };
                if by <= 0 {
                    return None;
                }
                self.compile(arguments.first()?)?;
                self.ops.push(Op::Mod(by));
                Some((0, by - 1))
            }
            Function::Floor | Function::Ceil | Function::Round => {
                let inner = arguments.first()?;
                match inner.ty {
                    Type::Int => self.compile(inner),
                    _ => None,
                }
            }
            Function::Pow | Function::Log => None,
        }
    }
}

/// A comparison of a variable with a number, as a range.
pub(super) fn within(op: Compare, a: &Term, b: &Term) -> Option<(u32, i64, i64)> {
    let (v, n, op) = match (&a.kind, &b.kind) {
        (TermKind::Var(v), TermKind::Int(n)) => (*v, *n, op),
        (TermKind::Int(n), TermKind::Var(v)) => {
            let turned = match op {
                Compare::Lt => Compare::Gt,
                Compare::Le => Compare::Ge,
                Compare::Gt => Compare::Lt,
                Compare::Ge => Compare::Le,
                same => same,
            };
            (*v, *n, turned)
        }
        _ => return None,
    };
    Some(match op {
        Compare::Eq => (v, n, n),
        Compare::Le => (v, i64::MIN, n),
        Compare::Lt => (v, i64::MIN, n.checked_sub(1)?),
        Compare::Ge => (v, n, i64::MAX),
        Compare::Gt => (v, n.checked_add(1)?, i64::MAX),
        Compare::Ne => return None,
    })
}

/// A guard: parts that all must be true, tried in an order that finds a false one soon.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    /// Variables that must be in a range.
    ranges: Box<[(u32, i64, i64)]>,
    rest: Box<[Code]>,
}

impl Guard {
    /// Compiles. A range is examined earlier than where it stands only if nothing before it can go
    /// wrong: `1/x > 2 & x > 0` must complain about `x = 0`.
    pub(super) fn new(term: &Term, range: &dyn Fn(u32) -> (i64, i64)) -> Guard {
        let (mut ranges, mut rest): (Vec<(u32, i64, i64)>, Vec<Code>) = (Vec::new(), Vec::new());
        let mut safe = true;
        for part in term.conjuncts() {
            let found = match &part.kind {
                TermKind::Compare(op, a, b) => within(*op, a, b),
                TermKind::Var(v) => Some((*v, 1, 1)),
                TermKind::Not(a) => match a.kind {
                    TermKind::Var(v) => Some((v, 0, 0)),
                    _ => None,
                },
                _ => None,
            };
            match found {
                Some(found) if safe => ranges.push(found),
                _ => {
                    let code = Code::new(part, range);
                    safe &= !code.is_slow();
                    rest.push(code);
                }
            }
        }
        Guard {
            ranges: ranges.into(),
            rest: rest.into(),
        }
    }

    /// Is it true?
    #[inline]
    pub(super) fn holds(&self, values: &[i64]) -> Result<bool, Fault> {
        for (v, low, high) in &self.ranges {
            let value = values[*v as usize];
            if value < *low || value > *high {
                return Ok(false);
            }
        }
        for code in &self.rest {
            if code.run(values)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
