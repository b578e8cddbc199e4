//! Exact values of expressions. This is the plain evaluation that the compiled one
//! ([`super::code`]) is tested against, and that takes over where that one has no instruction.

use std::cmp::Ordering;

use suppose_number::{Int, Rat};
use suppose_source::{Diagnostic, Span};

use super::ast::{Compare, Function, Type};
use super::irrational::Irrational;
use super::term::{Term, TermKind};

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Real(Rat),
    /// A number that is no fraction: it can be compared and rounded, nothing else.
    Irrational(Box<Irrational>),
}

/// Why there is no value.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Fault {
        let message = message.into();
        Fault { span, message }
    }

    pub(super) fn diagnostic(self) -> Diagnostic {
        Diagnostic::error(self.span, self.message)
    }
}

type Valued = Result<Value, Fault>;

/// The value of a variable, by number; none where there is no state.
pub(super) type State<'a> = &'a dyn Fn(u32) -> Option<i64>;

/// Evaluates in a state. `Bool` variables are 0 or 1.
pub(super) fn evaluate(term: &Term, state: State<'_>) -> Valued {
    Ok(match &term.kind {
        TermKind::Bool(b) => Value::Bool(*b),
        TermKind::Int(n) => Value::Int(*n),
        TermKind::Real(r) => Value::Real((**r).clone()),
        TermKind::Var(v) => {
            let value = state(*v).ok_or_else(|| {
                Fault::new(term.span, "the value of a variable is not known here")
            })?;
            match term.ty {
                Type::Bool => Value::Bool(value != 0),
                _ => Value::Int(value),
            }
        }
        TermKind::Not(a) => Value::Bool(!truth(a, state)?),
        TermKind::Neg(a) => match evaluate(a, state)? {
            Value::Int(n) => Value::Int(n.checked_neg().ok_or_else(|| overflow(term.span))?),
            other => Value::Real(-rational(other, a.span)?),
        },
        TermKind::And(all) => {
            for part in all {
                if !truth(part, state)? {
                    return Ok(Value::Bool(false));
                }
            }
            Value::Bool(true)
        }
        TermKind::Or(all) => {
            for part in all {
                if truth(part, state)? {
                    return Ok(Value::Bool(true));
                }
            }
            Value::Bool(false)
        }
        TermKind::Implies(a, b) => Value::Bool(!truth(a, state)? || truth(b, state)?),
        TermKind::Iff(a, b) => Value::Bool(truth(a, state)? == truth(b, state)?),
        TermKind::Cond(test, then, otherwise) => {
            let chosen = if truth(test, state)? { then } else { otherwise };
            let value = evaluate(chosen, state)?;
            match (term.ty, value) {
                (Type::Real, Value::Int(n)) => Value::Real(Rat::from(n)),
                (_, value) => value,
            }
        }
        TermKind::Compare(op, a, b) => {
            let (left, right) = (evaluate(a, state)?, evaluate(b, state)?);
            let order = compare(&left, &right, term.span)?;
            Value::Bool(holds(*op, order))
        }
        TermKind::Sum(parts) => return sum(term, parts, state),
        TermKind::Product(parts) => return product(term, parts, state),
        TermKind::Call(function, arguments) => return call(term, *function, arguments, state),
    })
}

/// The value of a condition.
pub(super) fn truth(term: &Term, state: State<'_>) -> Result<bool, Fault> {
    match evaluate(term, state)? {
        Value::Bool(b) => Ok(b),
        _ => Err(Fault::new(term.span, "this is not a condition")),
    }
}

/// The value of an integer expression.
pub(super) fn integer(term: &Term, state: State<'_>) -> Result<i64, Fault> {
    match evaluate(term, state)? {
        Value::Int(n) => Ok(n),
        Value::Bool(b) => Ok(i64::from(b)),
        _ => Err(Fault::new(term.span, "this is not an integer")),
    }
}

/// The value of a number, which must be a fraction.
pub(super) fn number(term: &Term, state: State<'_>) -> Result<Rat, Fault> {
    rational(evaluate(term, state)?, term.span)
}

fn rational(value: Value, span: Span) -> Result<Rat, Fault> {
    match value {
        Value::Int(n) => Ok(Rat::from(n)),
        Value::Real(r) => Ok(r),
        Value::Irrational(it) => Err(Fault::new(
            span,
            format!("{it} is irrational: it can be compared and rounded, but not computed with"),
        )),
        Value::Bool(_) => Err(Fault::new(span, "this is not a number")),
    }
}

fn overflow(span: Span) -> Fault {
    Fault::new(span, "the value is too large for an integer")
}

pub(super) fn holds(op: Compare, order: Ordering) -> bool {
    match op {
        Compare::Eq => order.is_eq(),
        Compare::Ne => order.is_ne(),
        Compare::Lt => order.is_lt(),
        Compare::Le => order.is_le(),
        Compare::Gt => order.is_gt(),
        Compare::Ge => order.is_ge(),
    }
}

fn compare(left: &Value, right: &Value, span: Span) -> Result<Ordering, Fault> {
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Irrational(a), Value::Irrational(b)) if a == b => Ok(Ordering::Equal),
        (Value::Irrational(_), Value::Irrational(_)) => {
            Err(Fault::new(span, "two irrational numbers are not compared"))
        }
        (Value::Irrational(a), other) => {
            let other = rational(other.clone(), span)?;
            a.compare(&other).ok_or_else(|| too_hard(span))
        }
        (other, Value::Irrational(b)) => {
            let other = rational(other.clone(), span)?;
            let order = b.compare(&other).ok_or_else(|| too_hard(span))?;
            Ok(order.reverse())
        }
        _ => Ok(rational(left.clone(), span)?.cmp(&rational(right.clone(), span)?)),
    }
}

fn too_hard(span: Span) -> Fault {
    Fault::new(span, "the numbers are too large to be compared exactly")
}

fn sum(term: &Term, parts: &[(bool, Term)], state: State<'_>) -> Valued {
    if term.ty == Type::Int {
        let mut total = 0i64;
        for (minus, part) in parts {
            let value = integer(part, state)?;
            let next = match minus {
                true => total.checked_sub(value),
                false => total.checked_add(value),
            };
            total = next.ok_or_else(|| overflow(term.span))?;
        }
        return Ok(Value::Int(total));
    }
    let mut total = Rat::ZERO;
    for (minus, part) in parts {
        let value = number(part, state)?;
        match minus {
            true => total -= &value,
            false => total += &value,
        }
        small(&total, term.span)?;
    }
    Ok(Value::Real(total))
}

fn product(term: &Term, parts: &[(bool, Term)], state: State<'_>) -> Valued {
    if term.ty == Type::Int {
        let mut total = 1i64;
        for (_, part) in parts {
            let value = integer(part, state)?;
            total = total
                .checked_mul(value)
                .ok_or_else(|| overflow(term.span))?;
        }
        return Ok(Value::Int(total));
    }
    let mut total = Rat::ONE;
    for (over, part) in parts {
        let value = number(part, state)?;
        if *over {
            if value.is_zero() {
                return Err(Fault::new(part.span, "division by zero"));
            }
            total = &total / &value;
        } else {
            total *= &value;
        }
        small(&total, term.span)?;
    }
    Ok(Value::Real(total))
}

/// Keeps numbers to a size that can be computed with.
fn small(value: &Rat, span: Span) -> Result<(), Fault> {
    if value.num().bits() > 1 << 20 || value.den().bits() > 1 << 20 {
        return Err(Fault::new(span, "the value has more than a million bits"));
    }
    Ok(())
}

fn call(term: &Term, function: Function, arguments: &[Term], state: State<'_>) -> Valued {
    let value = |at: usize| evaluate(&arguments[at], state);
    match function {
        Function::Min | Function::Max => extreme(term, function, arguments, state),
        Function::Floor => rounded(value(0)?, term.span, 0),
        Function::Ceil => rounded(value(0)?, term.span, 2),
        Function::Round => rounded(value(0)?, term.span, 1),
        Function::Mod => {
            let (a, b) = (
                integer(&arguments[0], state)?,
                integer(&arguments[1], state)?,
            );
            if b <= 0 {
                return Err(Fault::new(
                    arguments[1].span,
                    format!("mod by {b}: the divisor must be positive"),
                ));
            }
            Ok(Value::Int(a.rem_euclid(b)))
        }
        Function::Pow if term.ty == Type::Int => {
            let (a, b) = (
                integer(&arguments[0], state)?,
                integer(&arguments[1], state)?,
            );
            let Ok(exponent) = u32::try_from(b) else {
                return Err(Fault::new(
                    arguments[1].span,
                    format!("pow of integers with the exponent {b}"),
                ));
            };
            let power = a.checked_pow(exponent);
            Ok(Value::Int(power.ok_or_else(|| overflow(term.span))?))
        }
        Function::Pow => {
            let (base, exponent) = (number(&arguments[0], state)?, number(&arguments[1], state)?);
            Irrational::power(&base, &exponent).map_err(|m| Fault::new(term.span, m))
        }
        Function::Log => {
            let (of, base) = (number(&arguments[0], state)?, number(&arguments[1], state)?);
            Irrational::logarithm(&of, &base).map_err(|m| Fault::new(term.span, m))
        }
    }
}

fn extreme(term: &Term, function: Function, arguments: &[Term], state: State<'_>) -> Valued {
    let mut best = evaluate(&arguments[0], state)?;
    for argument in &arguments[1..] {
        let next = evaluate(argument, state)?;
        let order = compare(&next, &best, term.span)?;
        let better = match function {
            Function::Min => order.is_lt(),
            _ => order.is_gt(),
        };
        if better {
            best = next;
        }
    }
    Ok(match (term.ty, best) {
        (Type::Real, Value::Int(n)) => Value::Real(Rat::from(n)),
        (_, best) => best,
    })
}

/// Down (0), to the nearest with halves upwards (1), or up (2).
fn rounded(value: Value, span: Span, how: u8) -> Valued {
    let whole: Int = match value {
        Value::Int(n) => return Ok(Value::Int(n)),
        Value::Real(r) => match how {
            0 => r.floor(),
            1 => (&r + &Rat::new(Int::ONE, Int::from(2))).floor(),
            _ => r.ceil(),
        },
        Value::Irrational(it) => it.rounded(how).ok_or_else(|| too_hard(span))?,
        Value::Bool(_) => return Err(Fault::new(span, "this is not a number")),
    };
    let whole = whole.to_i64().ok_or_else(|| overflow(span))?;
    Ok(Value::Int(whole))
}
