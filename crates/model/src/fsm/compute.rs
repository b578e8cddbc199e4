//! What operators give on values.

use std::cmp::Ordering;

use super::expr::{BinaryOp, Cast, EvaluationError};
use super::value::{Symbols, Value};
use super::word::Word;
use super::{System, VarId};

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No condition of a `case` is true, or an array has no such element.
    EvaluationError(EvaluationError),
    /// Division by zero.
    DivisionByZero,
    /// A shift by a negative amount, or by more than the width.
    ShiftOutOfRange,
    /// An assignment gives a variable a value that is not of its type.
    NotOfType(VarId, Value),
    /// A number left 64 bits, or an operator met values of a wrong sort: only in expressions the store did not check.
    Unsound,
    /// A variable was asked for that the valuation does not have.
    NoVariable(VarId),
}

impl Fault {
    /// One sentence without a full stop.
    pub fn show(&self, system: &System) -> String {
        let name = |var: &VarId| match system.variables.get(var.index()) {
            Some(variable) => variable.name.clone(),
            None => format!("#{}", var.0),
        };
        match self {
            Fault::EvaluationError(EvaluationError::NoCase(_)) => {
                "no condition of the `case` is true".to_owned()
            }
            Fault::EvaluationError(EvaluationError::NoElement(_)) => {
                "the array has no element of that number".to_owned()
            }
            Fault::DivisionByZero => "division by zero".to_owned(),
            Fault::ShiftOutOfRange => {
                "a word is shifted by less than 0 or more than its width".to_owned()
            }
            Fault::NotOfType(var, value) => {
                let symbols: &Symbols = &system.symbols;
                format!("cannot assign {} to `{}`", symbols.show(value), name(var))
            }
            Fault::Unsound => "an expression without a type was evaluated".to_owned(),
            Fault::NoVariable(var) => format!("`{}` has no value here", name(var)),
        }
    }
}

type Computed = Result<Value, Fault>;

/// Of one kind and width?
fn like(a: &Word, b: &Word) -> bool {
    (a.signed, a.width) == (b.signed, b.width)
}

pub(super) fn not(value: &Value) -> Computed {
    match value {
        Value::Bool(b) => Ok(Value::Bool(!b)),
        Value::Word(w) => Ok(Value::Word(w.zip(w, |x, _| !x))),
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn negate(value: &Value) -> Computed {
    match value {
        Value::Int(n) => n.checked_neg().map(Value::Int).ok_or(Fault::Unsound),
        Value::Word(w) => {
            let zero = Value::Word(Word::new(w.signed, w.width, 0));
            arithmetic(BinaryOp::Subtract, &zero, value)
        }
        _ => Err(Fault::Unsound),
    }
}

/// `&` and `|` of two values that are there.
pub(super) fn join(and: bool, a: &Value, b: &Value) -> Computed {
    match and {
        true => bitwise(a, b, |x, y| x & y),
        false => bitwise(a, b, |x, y| x | y),
    }
}

fn bitwise(a: &Value, b: &Value, op: impl Fn(u64, u64) -> u64) -> Computed {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => {
            Ok(Value::Bool(op(u64::from(*a), u64::from(*b)) & 1 == 1))
        }
        (Value::Word(a), Value::Word(b)) if like(a, b) => Ok(Value::Word(a.zip(b, op))),
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Computed {
    use BinaryOp as Op;
    match op {
        Op::Implies => bitwise(a, b, |x, y| !x | y),
        Op::Iff | Op::Xnor => bitwise(a, b, |x, y| !(x ^ y)),
        Op::Xor => bitwise(a, b, |x, y| x ^ y),
        Op::Equal => Ok(Value::Bool(a == b)),
        Op::Unequal => Ok(Value::Bool(a != b)),
        Op::Less => compare(a, b, Ordering::is_lt),
        Op::AtMost => compare(a, b, Ordering::is_le),
        Op::Greater => compare(a, b, Ordering::is_gt),
        Op::AtLeast => compare(a, b, Ordering::is_ge),
        Op::In => Ok(Value::Bool(a == b)),
        Op::ShiftLeft | Op::ShiftRight => shift(op, a, b),
        Op::Concatenate => concatenate(a, b),
        _ => arithmetic(op, a, b),
    }
}

/// As numbers of machine size: numbers, and words of up to 64 bits.
fn both(a: &Value, b: &Value) -> Option<(i128, i128)> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(((*a).into(), (*b).into())),
        (Value::Word(a), Value::Word(b)) => Some((a.small()?, b.small()?)),
        _ => None,
    }
}

fn compare(a: &Value, b: &Value, test: impl Fn(Ordering) -> bool) -> Computed {
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Word(a), Value::Word(b)) if like(a, b) => a.order(b),
        _ => return Err(Fault::Unsound),
    };
    Ok(Value::Bool(test(order)))
}

fn arithmetic(op: BinaryOp, a: &Value, b: &Value) -> Computed {
    let Some((x, y)) = both(a, b) else {
        return match (a, b) {
            (Value::Word(a), Value::Word(b)) if like(a, b) => wide(op, a, b),
            _ => Err(Fault::Unsound),
        };
    };
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        // Two numbers of 64 bits, so at most 128; of words the low bits are kept.
        BinaryOp::Multiply => x.wrapping_mul(y),
        BinaryOp::Divide | BinaryOp::Modulo if y == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Divide => x / y,
        BinaryOp::Modulo => x % y,
        BinaryOp::Max => x.max(y),
        BinaryOp::Min => x.min(y),
        _ => return Err(Fault::Unsound),
    };
    match a {
        Value::Word(like) => Ok(Value::Word(Word::of_number(
            like.signed,
            like.width,
            result,
        ))),
        _ => {
            let small = i64::try_from(result).map_err(|_| Fault::Unsound)?;
            Ok(Value::Int(small))
        }
    }
}

/// Arithmetic on words of more than 64 bits.
fn wide(op: BinaryOp, a: &Word, b: &Word) -> Computed {
    let (x, y) = (a.number(), b.number());
    let result = match op {
        BinaryOp::Add => &x + &y,
        BinaryOp::Subtract => &x - &y,
        BinaryOp::Multiply => &x * &y,
        BinaryOp::Divide | BinaryOp::Modulo if y.is_zero() => return Err(Fault::DivisionByZero),
        BinaryOp::Divide | BinaryOp::Modulo => {
            // Towards zero: of what is left of the signs, and these again.
            let (quotient, rest) = x.abs().div_floor(&y.abs());
            let (result, negative) = match op {
                BinaryOp::Divide => (quotient, x.is_negative() != y.is_negative()),
                _ => (rest, x.is_negative()),
            };
            if negative { -&result } else { result }
        }
        _ => return Err(Fault::Unsound),
    };
    Ok(Value::Word(Word::of_int(a.signed, a.width, &result)))
}

fn shift(op: BinaryOp, a: &Value, by: &Value) -> Computed {
    let Value::Word(word) = a else {
        return Err(Fault::Unsound);
    };
    let amount = match by {
        Value::Int(n) => Some(*n),
        Value::Word(w) => w.number().to_i64(),
        _ => return Err(Fault::Unsound),
    };
    let amount = amount.and_then(|n| u32::try_from(n).ok());
    let amount = amount.filter(|n| *n <= word.width);
    let places = amount.ok_or(Fault::ShiftOutOfRange)?;
    Ok(Value::Word(match op {
        BinaryOp::ShiftLeft => word.left(places),
        _ => word.right(places),
    }))
}

fn concatenate(a: &Value, b: &Value) -> Computed {
    match (a, b) {
        (Value::Word(high), Value::Word(low)) if high.width + low.width <= Word::WIDEST => {
            Ok(Value::Word(high.above(low)))
        }
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn bits(value: &Value, high: u32, low: u32) -> Computed {
    match value {
        Value::Word(w) if low <= high && high < w.width => Ok(Value::Word(w.slice(high, low))),
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn cast(to: Cast, value: &Value) -> Computed {
    match (to, value) {
        (Cast::Bool, Value::Bool(_)) | (Cast::ToInt, Value::Int(_)) => Ok(value.clone()),
        (Cast::Bool, Value::Int(n)) => Ok(Value::Bool(*n != 0)),
        (Cast::Bool, Value::Word(w)) => Ok(Value::Bool(!w.is_zero())),
        (Cast::Word1, Value::Bool(b)) => Ok(Value::Word(Word::new(false, 1, u64::from(*b)))),
        (Cast::ToInt, Value::Bool(b)) => Ok(Value::Int(i64::from(*b))),
        (Cast::ToInt, Value::Word(w)) => {
            let small = w.number().to_i64();
            small.map(Value::Int).ok_or(Fault::Unsound)
        }
        (Cast::Signed, Value::Word(w)) => Ok(Value::Word(w.with_sign(true))),
        (Cast::Unsigned, Value::Word(w)) => Ok(Value::Word(w.with_sign(false))),
        (Cast::Extend(more), Value::Word(w)) => {
            let width = w.width.saturating_add(more).min(Word::WIDEST);
            Ok(Value::Word(w.resized(width)))
        }
        (Cast::Resize(width), Value::Word(w)) => Ok(Value::Word(w.resized(width))),
        (Cast::Abs, Value::Int(n)) => n.checked_abs().map(Value::Int).ok_or(Fault::Unsound),
        _ => Err(Fault::Unsound),
    }
}
