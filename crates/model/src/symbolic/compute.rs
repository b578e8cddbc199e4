//! What operators give on values.

use super::expr::{BinaryOp, Cast, Failure};
use super::value::{Symbols, Value, Word};
use super::{System, VarId};

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No condition of a `case` is true, or an array has no such element.
    Failure(Failure),
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
            Fault::Failure(Failure::NoCase(_)) => "no condition of the `case` is true".to_owned(),
            Fault::Failure(Failure::NoElement(_)) => {
                "the array has no element of that number".to_owned()
            }
            Fault::DivisionByZero => "division by zero".to_owned(),
            Fault::ShiftOutOfRange => {
                "a word is shifted by less than 0 or more than its width".to_owned()
            }
            Fault::NotOfType(var, value) => {
                let symbols: &Symbols = &system.symbols;
                format!("cannot assign {} to `{}`", symbols.show(*value), name(var))
            }
            Fault::Unsound => "an expression without a type was evaluated".to_owned(),
            Fault::NoVariable(var) => format!("`{}` has no value here", name(var)),
        }
    }
}

type Computed = Result<Value, Fault>;

pub(super) fn not(value: Value) -> Computed {
    match value {
        Value::Bool(b) => Ok(Value::Bool(!b)),
        Value::Word(w) => Ok(Value::Word(Word::new(w.signed, w.width, !w.bits))),
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn negate(value: Value) -> Computed {
    match value {
        Value::Int(n) => n.checked_neg().map(Value::Int).ok_or(Fault::Unsound),
        Value::Word(w) => Ok(number(w, -w.number())),
        _ => Err(Fault::Unsound),
    }
}

/// The word like `like` for a number.
fn number(like: Word, number: i128) -> Value {
    Value::Word(Word::of_number(like.signed, like.width, number))
}

/// `&` and `|` of two values that are there.
pub(super) fn join(and: bool, a: Value, b: Value) -> Computed {
    match and {
        true => bitwise(a, b, |x, y| x & y),
        false => bitwise(a, b, |x, y| x | y),
    }
}

fn bitwise(a: Value, b: Value, op: impl Fn(u64, u64) -> u64) -> Computed {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => {
            Ok(Value::Bool(op(u64::from(a), u64::from(b)) & 1 == 1))
        }
        (Value::Word(a), Value::Word(b)) if (a.signed, a.width) == (b.signed, b.width) => Ok(
            Value::Word(Word::new(a.signed, a.width, op(a.bits, b.bits))),
        ),
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn binary(op: BinaryOp, a: Value, b: Value) -> Computed {
    use BinaryOp as Op;
    match op {
        Op::Implies => bitwise(a, b, |x, y| !x | y),
        Op::Iff | Op::Xnor => bitwise(a, b, |x, y| !(x ^ y)),
        Op::Xor => bitwise(a, b, |x, y| x ^ y),
        Op::Equal => Ok(Value::Bool(a == b)),
        Op::Unequal => Ok(Value::Bool(a != b)),
        Op::Less => compare(a, b, |x, y| x < y),
        Op::AtMost => compare(a, b, |x, y| x <= y),
        Op::Greater => compare(a, b, |x, y| x > y),
        Op::AtLeast => compare(a, b, |x, y| x >= y),
        Op::In => Ok(Value::Bool(a == b)),
        Op::ShiftLeft | Op::ShiftRight => shift(op, a, b),
        Op::Concatenate => concatenate(a, b),
        _ => arithmetic(op, a, b),
    }
}

/// As numbers.
fn both(a: Value, b: Value) -> Option<(i128, i128)> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some((a.into(), b.into())),
        (Value::Word(a), Value::Word(b)) => Some((a.number(), b.number())),
        _ => None,
    }
}

fn compare(a: Value, b: Value, test: impl Fn(i128, i128) -> bool) -> Computed {
    let (a, b) = both(a, b).ok_or(Fault::Unsound)?;
    Ok(Value::Bool(test(a, b)))
}

fn arithmetic(op: BinaryOp, a: Value, b: Value) -> Computed {
    let (x, y) = both(a, b).ok_or(Fault::Unsound)?;
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        // Two numbers of 64 bits, so no more than 128; of words the low bits are kept.
        BinaryOp::Multiply => x.wrapping_mul(y),
        BinaryOp::Divide | BinaryOp::Modulo if y == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Divide => x / y,
        BinaryOp::Modulo => x % y,
        BinaryOp::Max => x.max(y),
        BinaryOp::Min => x.min(y),
        _ => return Err(Fault::Unsound),
    };
    match a {
        Value::Word(like) => Ok(number(like, result)),
        _ => {
            let small = i64::try_from(result).map_err(|_| Fault::Unsound)?;
            Ok(Value::Int(small))
        }
    }
}

fn shift(op: BinaryOp, a: Value, by: Value) -> Computed {
    let Value::Word(word) = a else {
        return Err(Fault::Unsound);
    };
    let amount = match by {
        Value::Int(n) => i128::from(n),
        Value::Word(w) => w.number(),
        _ => return Err(Fault::Unsound),
    };
    if !(0..=i128::from(word.width)).contains(&amount) {
        return Err(Fault::ShiftOutOfRange);
    }
    // At most 64 places of a number of at most 64 bits: all in 128.
    Ok(match op {
        BinaryOp::ShiftLeft => number(word, i128::from(word.bits) << amount),
        _ => number(word, word.number() >> amount),
    })
}

fn concatenate(a: Value, b: Value) -> Computed {
    match (a, b) {
        (Value::Word(high), Value::Word(low)) if high.width + low.width <= Word::WIDEST => {
            let bits = u128::from(high.bits) << low.width | u128::from(low.bits);
            let width = high.width + low.width;
            Ok(Value::Word(Word::new(false, width, bits as u64)))
        }
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn bits(value: Value, high: u32, low: u32) -> Computed {
    match value {
        Value::Word(w) if low <= high && high < w.width => {
            let width = high - low + 1;
            Ok(Value::Word(Word::new(false, width, w.bits >> low)))
        }
        _ => Err(Fault::Unsound),
    }
}

pub(super) fn cast(to: Cast, value: Value) -> Computed {
    match (to, value) {
        (Cast::Bool, Value::Bool(_)) | (Cast::ToInt, Value::Int(_)) => Ok(value),
        (Cast::Bool, Value::Int(n)) => Ok(Value::Bool(n != 0)),
        (Cast::Bool, Value::Word(w)) => Ok(Value::Bool(w.bits != 0)),
        (Cast::Word1, Value::Bool(b)) => Ok(Value::Word(Word::new(false, 1, u64::from(b)))),
        (Cast::ToInt, Value::Bool(b)) => Ok(Value::Int(i64::from(b))),
        (Cast::ToInt, Value::Word(w)) => {
            let small = i64::try_from(w.number()).map_err(|_| Fault::Unsound)?;
            Ok(Value::Int(small))
        }
        (Cast::Signed, Value::Word(w)) => Ok(Value::Word(Word { signed: true, ..w })),
        (Cast::Unsigned, Value::Word(w)) => Ok(Value::Word(Word { signed: false, ..w })),
        (Cast::Extend(more), Value::Word(w)) => {
            let width = w.width.saturating_add(more).min(Word::WIDEST);
            Ok(Value::Word(Word::of_number(w.signed, width, w.number())))
        }
        (Cast::Resize(width), Value::Word(w)) => Ok(Value::Word(resize(w, width))),
        (Cast::Abs, Value::Int(n)) => n.checked_abs().map(Value::Int).ok_or(Fault::Unsound),
        _ => Err(Fault::Unsound),
    }
}

/// Longer as `extend`; shorter by cutting, but a signed word keeps its sign bit.
fn resize(w: Word, width: u32) -> Word {
    let cut = Word::of_number(w.signed, width, w.number());
    if !w.signed || width >= w.width || width == 0 {
        return cut;
    }
    let sign = w.bits >> (w.width - 1) & 1;
    let low = cut.bits & Word::mask(width - 1);
    Word::new(true, width, sign << (width - 1) | low)
}
