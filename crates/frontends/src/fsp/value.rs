//! Values, what indices run over, and the operators.

use std::rc::Rc;

use suppose_source::{Diagnostic, Span};

use super::ast::Binary;
use super::eval::Lowered;

/// What a constant, parameter or variable holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Int(i64),
    Label(Rc<str>),
}

impl Value {
    /// The value of a label; one that is a number, as in `{[0..2]}`, is that number, as in LTSA.
    pub(super) fn of_label(text: &Rc<str>) -> Value {
        match text.parse() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Label(text.clone()),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Int(n) => write!(f, "{n}"),
            Value::Label(label) => f.write_str(label),
        }
    }
}

/// The values an index runs over.
#[derive(Clone, Debug)]
pub(super) enum Values {
    One(Value),
    Ints(i64, i64),
    Labels(Rc<[Rc<str>]>),
}

impl Values {
    /// How many. Ranges are never empty.
    pub(super) fn len(&self) -> u64 {
        match self {
            Values::One(_) => 1,
            Values::Ints(low, high) => high.abs_diff(*low).saturating_add(1),
            Values::Labels(labels) => labels.len() as u64,
        }
    }

    pub(super) fn get(&self, position: u64) -> Value {
        match self {
            Values::One(value) => value.clone(),
            Values::Ints(low, _) => Value::Int(low.wrapping_add_unsigned(position)),
            Values::Labels(labels) => Value::of_label(&labels[position as usize]),
        }
    }

    /// The position of a value.
    pub(super) fn find(&self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Values::One(one), _) => (one == value).then_some(0),
            (Values::Ints(low, high), Value::Int(n)) => {
                (low..=high).contains(&n).then(|| n.abs_diff(*low))
            }
            (Values::Labels(labels), _) => {
                let text = value.to_string();
                let position = labels.iter().position(|l| **l == *text)?;
                Some(position as u64)
            }
            _ => None,
        }
    }
}

/// The number a value is.
pub(super) fn int(value: Value, span: Span) -> Lowered<i64> {
    match value {
        Value::Int(n) => Ok(n),
        Value::Label(label) => Err(Diagnostic::error(
            span,
            format!("the label `{label}` is used as a number"),
        )
        .label("expected a number")),
    }
}

pub(super) fn overflow(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the result is too large a number").label("does not fit 64 bits")
}

/// A binary operator; labels can only be compared.
pub(super) fn apply(op: Binary, left: Value, right: Value, span: Span) -> Lowered<i64> {
    if let (Value::Label(_), _) | (_, Value::Label(_)) = (&left, &right) {
        match op {
            Binary::Equal => return Ok(i64::from(left.to_string() == right.to_string())),
            Binary::NotEqual => return Ok(i64::from(left.to_string() != right.to_string())),
            _ => {}
        }
    }
    let (a, b) = (int(left, span)?, int(right, span)?);
    if b == 0 && matches!(op, Binary::Divide | Binary::Modulo) {
        return Err(Diagnostic::error(span, "division by zero").label("the divisor is 0"));
    }
    let shift = u32::try_from(b).ok().filter(|s| *s < 63);
    let result = match op {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide => a.checked_div(b),
        Binary::Modulo => a.checked_rem(b),
        Binary::BitXor => Some(a ^ b),
        Binary::BitAnd => Some(a & b),
        Binary::BitOr => Some(a | b),
        Binary::ShiftLeft => shift.and_then(|s| a.checked_mul(1i64 << s)),
        Binary::ShiftRight => shift.map(|s| a >> s),
        Binary::Less => Some(i64::from(a < b)),
        Binary::LessEqual => Some(i64::from(a <= b)),
        Binary::Greater => Some(i64::from(a > b)),
        Binary::GreaterEqual => Some(i64::from(a >= b)),
        Binary::Equal => Some(i64::from(a == b)),
        Binary::NotEqual => Some(i64::from(a != b)),
        Binary::And => Some(i64::from(a != 0 && b != 0)),
        Binary::Or => Some(i64::from(a != 0 || b != 0)),
    };
    result.ok_or_else(|| overflow(span))
}
