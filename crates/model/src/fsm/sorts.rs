//! Which operators take which sorts, as NuSMV's type system has it.

use super::expr::{BinaryOp, Cast, ExprId, Exprs, Node};
use super::value::Sort;
use super::word::Word;

/// Why an expression has no sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped {
    /// One sentence without a full stop.
    pub message: String,
    /// What was expected.
    pub expected: String,
}

type Sorted = Result<(Sort, bool), IllTyped>;

fn wrong(message: impl Into<String>, expected: impl Into<String>) -> Sorted {
    Err(IllTyped {
        message: message.into(),
        expected: expected.into(),
    })
}

fn word(signed: bool, width: u64, what: &str) -> Sorted {
    let widest = Word::WIDEST;
    match u32::try_from(width) {
        Ok(width) if (1..=widest).contains(&width) => Ok((Sort::Word { signed, width }, false)),
        _ => wrong(
            format!("{what} gives a word of {width} bits"),
            format!("1 to {widest} bits"),
        ),
    }
}

/// Can the operator fail on parts that do not?
pub(super) fn fails_itself(exprs: &Exprs, node: &Node) -> bool {
    match *node {
        Node::EvaluationError(_) => true,
        Node::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => match exprs.node(by) {
            Node::Value(super::Value::Int(n)) => *n == 0,
            Node::Value(super::Value::Word(w)) => w.is_zero(),
            _ => true,
        },
        Node::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, it, by) => {
            let Sort::Word { width, .. } = exprs.sort(it) else {
                return true;
            };
            match exprs.sort(by) {
                Sort::Integer(low, high) => low < 0 || high > i64::from(width),
                Sort::Word { width: bits, .. } => {
                    // The greatest amount that can be said.
                    let most = 1u64.checked_shl(bits).map_or(u64::MAX, |size| size - 1);
                    u64::from(width) < most
                }
                _ => true,
            }
        }
        _ => false,
    }
}

/// The sort, and whether there can be several values.
pub(super) fn sort(exprs: &Exprs, node: &Node) -> Sorted {
    match node {
        Node::Value(value) => Ok((Sort::of(value), false)),
        Node::Current(var) => match exprs.variable_sort(*var) {
            Some(sort) => Ok((sort, false)),
            None => wrong("there is no such variable", "a variable of the system"),
        },
        Node::Next(var) => match exprs.variable_sort(*var) {
            Some(_) if exprs.is_input(*var) => {
                wrong("an input has no next value", "a state variable")
            }
            Some(sort) => Ok((sort, false)),
            None => wrong("there is no such variable", "a variable of the system"),
        },
        Node::Not(a) => match single(exprs, *a, "`!`")? {
            it @ (Sort::Boolean | Sort::Word { .. } | Sort::Nothing) => Ok((it, false)),
            other => mismatch("`!`", other, "a boolean or a word"),
        },
        Node::Negate(a) => match single(exprs, *a, "`-`")? {
            Sort::Integer(low, high) => match (high.checked_neg(), low.checked_neg()) {
                (Some(low), Some(high)) => Ok((Sort::Integer(low, high), false)),
                _ => too_large("`-`"),
            },
            it @ (Sort::Word { .. } | Sort::Nothing) => Ok((it, false)),
            other => mismatch("`-`", other, "a number or a word"),
        },
        Node::And(all) => logical_all(exprs, all, "`&`"),
        Node::Or(all) => logical_all(exprs, all, "`|`"),
        Node::Binary(op, a, b) => binary(exprs, *op, *a, *b),
        Node::Ite(condition, then, otherwise) => {
            if !exprs.is_boolean(*condition) {
                let found = exprs.sort(*condition);
                return mismatch("a condition", found, "a boolean");
            }
            let (a, b) = (exprs.sort(*then), exprs.sort(*otherwise));
            if !a.joins(b) {
                return wrong(
                    format!("the branches are {} and {}", a.show(), b.show()),
                    "branches of one type",
                );
            }
            let is_set = exprs.is_set(*then) || exprs.is_set(*otherwise);
            Ok((a.hull(b), is_set))
        }
        Node::Set(all) => set(exprs, all),
        Node::Bits(a, high, low) => match single(exprs, *a, "bit selection")? {
            Sort::Word { width, .. } if high >= low && *high < width => {
                word(false, u64::from(high - low + 1), "bit selection")
            }
            Sort::Word { width, .. } => wrong(
                format!("there are no bits {high} to {low} in a word of {width} bits"),
                format!("bits from {} down to 0", width - 1),
            ),
            Sort::Nothing => Ok((Sort::Nothing, false)),
            other => mismatch("bit selection", other, "a word"),
        },
        Node::Cast(to, a) => cast(*to, single(exprs, *a, cast_name(*to))?),
        Node::Count(all) => {
            for part in all.iter() {
                if !exprs.is_boolean(*part) {
                    return mismatch("`count`", exprs.sort(*part), "booleans");
                }
            }
            Ok((Sort::Integer(0, all.len() as i64), false))
        }
        Node::EvaluationError(_) => Ok((Sort::Nothing, false)),
    }
}

fn mismatch(operator: &str, found: Sort, expected: &str) -> Sorted {
    wrong(format!("{operator} cannot take {}", found.show()), expected)
}

fn too_large(operator: &str) -> Sorted {
    wrong(
        format!("{operator} can give a number of more than 64 bits"),
        "smaller numbers",
    )
}

/// The sort of an operand that must have one value.
fn single(exprs: &Exprs, expr: ExprId, operator: &str) -> Result<Sort, IllTyped> {
    match exprs.is_set(expr) {
        false => Ok(exprs.sort(expr)),
        true => Err(IllTyped {
            message: format!("{operator} cannot take a set"),
            expected: "one value; a set stands only in `in`, `union`, branches and assignments"
                .to_owned(),
        }),
    }
}

fn logical_all(exprs: &Exprs, all: &[ExprId], operator: &str) -> Sorted {
    let mut sort = Sort::Nothing;
    for part in all {
        sort = logical(sort, single(exprs, *part, operator)?, operator)?.0;
    }
    Ok((sort, false))
}

fn logical(a: Sort, b: Sort, operator: &str) -> Sorted {
    for it in [a, b] {
        if !matches!(it, Sort::Boolean | Sort::Word { .. } | Sort::Nothing) {
            return mismatch(operator, it, "booleans, or words of one type");
        }
    }
    match a.meets(b) {
        true => Ok((a.hull(b), false)),
        false => pair(operator, a, b, "booleans, or words of one type"),
    }
}

fn pair(operator: &str, a: Sort, b: Sort, expected: &str) -> Sorted {
    wrong(
        format!("{operator} cannot take {} and {}", a.show(), b.show()),
        expected,
    )
}

fn set(exprs: &Exprs, all: &[ExprId]) -> Sorted {
    let mut sort = Sort::Nothing;
    for part in all {
        let member = exprs.sort(*part);
        if !sort.joins(member) {
            return wrong(
                format!("the set has {} and {}", sort.show(), member.show()),
                "members of one type",
            );
        }
        sort = sort.hull(member);
    }
    match all.len() {
        0 => wrong("the set is empty", "at least one member"),
        _ => Ok((sort, true)),
    }
}

/// As SMV writes it.
pub(super) fn operator_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Implies => "->",
        BinaryOp::Iff => "<->",
        BinaryOp::Xor => "xor",
        BinaryOp::Xnor => "xnor",
        BinaryOp::Equal => "=",
        BinaryOp::Unequal => "!=",
        BinaryOp::Less => "<",
        BinaryOp::AtMost => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::AtLeast => ">=",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "mod",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Concatenate => "::",
        BinaryOp::In => "in",
        BinaryOp::Max => "max",
        BinaryOp::Min => "min",
    }
}

pub(super) fn cast_name(cast: Cast) -> &'static str {
    match cast {
        Cast::Bool => "bool",
        Cast::Word1 => "word1",
        Cast::ToInt => "toint",
        Cast::Signed => "signed",
        Cast::Unsigned => "unsigned",
        Cast::Extend(_) => "extend",
        Cast::Resize(_) => "resize",
        Cast::Abs => "abs",
    }
}

fn binary(exprs: &Exprs, op: BinaryOp, a: ExprId, b: ExprId) -> Sorted {
    use BinaryOp as Op;
    let name = format!("`{}`", operator_name(op));
    if op == Op::In {
        let (x, y) = (exprs.sort(a), exprs.sort(b));
        return match x.joins(y) {
            true => Ok((Sort::Boolean, false)),
            false => pair(&name, x, y, "values of one type"),
        };
    }
    let (x, y) = (single(exprs, a, &name)?, single(exprs, b, &name)?);
    if x == Sort::Nothing && y == Sort::Nothing {
        return Ok((Sort::Nothing, false));
    }
    match op {
        Op::Implies | Op::Iff | Op::Xor | Op::Xnor => logical(x, y, &name),
        Op::Equal | Op::Unequal => match x.meets(y) {
            true => Ok((Sort::Boolean, false)),
            false => pair(&name, x, y, "two values of one type"),
        },
        Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => {
            let ordered = |s| matches!(s, Sort::Integer(..) | Sort::Word { .. } | Sort::Nothing);
            match ordered(x) && ordered(y) && x.meets(y) {
                true => Ok((Sort::Boolean, false)),
                false => pair(&name, x, y, "two numbers, or two words of one type"),
            }
        }
        Op::ShiftLeft | Op::ShiftRight => shift(x, y, &name),
        Op::Concatenate => match (x, y) {
            (Sort::Word { width: a, .. }, Sort::Word { width: b, .. }) => {
                word(false, u64::from(a) + u64::from(b), "`::`")
            }
            (Sort::Nothing, Sort::Word { .. }) | (Sort::Word { .. }, Sort::Nothing) => {
                Ok((Sort::Nothing, false))
            }
            _ => pair(&name, x, y, "two words"),
        },
        _ => arithmetic(op, x, y, &name),
    }
}

fn shift(x: Sort, y: Sort, name: &str) -> Sorted {
    let amount = matches!(
        y,
        Sort::Integer(..) | Sort::Word { signed: false, .. } | Sort::Nothing
    );
    match x {
        Sort::Word { .. } | Sort::Nothing if amount => Ok((x, false)),
        _ => pair(name, x, y, "a word, and a number or an unsigned word"),
    }
}

fn arithmetic(op: BinaryOp, x: Sort, y: Sort, name: &str) -> Sorted {
    match (x, y) {
        (Sort::Nothing, it @ (Sort::Integer(..) | Sort::Word { .. }))
        | (it @ (Sort::Integer(..) | Sort::Word { .. }), Sort::Nothing) => Ok((it, false)),
        (Sort::Integer(a, b), Sort::Integer(c, d)) => match bounds(op, (a, b), (c, d)) {
            Some((low, high)) => Ok((Sort::Integer(low, high), false)),
            None => too_large(name),
        },
        (Sort::Word { .. }, Sort::Word { .. })
            if x == y && !matches!(op, BinaryOp::Max | BinaryOp::Min) =>
        {
            Ok((x, false))
        }
        _ => pair(name, x, y, "two numbers, or two words of one type"),
    }
}

/// Bounds of what the operator gives, from bounds of what it takes; none when they leave 64 bits.
fn bounds(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Subtract => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Multiply => {
            let all = [
                a.checked_mul(c)?,
                a.checked_mul(d)?,
                b.checked_mul(c)?,
                b.checked_mul(d)?,
            ];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        BinaryOp::Max => Some((a.max(c), b.max(d))),
        BinaryOp::Min => Some((a.min(c), b.min(d))),
        // The quotient is no further from zero than the dividend, and neither is the remainder.
        BinaryOp::Divide => {
            let most = a.checked_abs()?.max(b.checked_abs()?);
            match a >= 0 && c >= 0 {
                true => Some((0, b)),
                false => Some((-most, most)),
            }
        }
        _ => {
            let most = c.checked_abs()?.max(d.checked_abs()?);
            let most = most.saturating_sub(1).max(0);
            let low = if a >= 0 { 0 } else { a.max(-most) };
            let high = if b <= 0 { 0 } else { b.min(most) };
            Some((low, high))
        }
    }
}

fn cast(to: Cast, from: Sort) -> Sorted {
    let name = format!("`{}`", cast_name(to));
    match (to, from) {
        (_, Sort::Nothing) => Ok((Sort::Nothing, false)),
        (Cast::Bool, Sort::Boolean | Sort::Integer(..) | Sort::Word { width: 1, .. }) => {
            Ok((Sort::Boolean, false))
        }
        (Cast::Bool, _) => mismatch(&name, from, "a boolean, a number or a word of one bit"),
        (Cast::Word1, Sort::Boolean) => word(false, 1, &name),
        (Cast::Word1, _) => mismatch(&name, from, "a boolean"),
        (Cast::ToInt, Sort::Boolean) => Ok((Sort::Integer(0, 1), false)),
        (Cast::ToInt, Sort::Integer(..)) => Ok((from, false)),
        (Cast::ToInt, Sort::Word { signed, width }) => match (signed, width) {
            (false, 63..) => too_large(&name),
            (false, _) => Ok((Sort::Integer(0, (1 << width) - 1), false)),
            (true, 65..) => too_large(&name),
            (true, 64) => Ok((Sort::Integer(i64::MIN, i64::MAX), false)),
            (true, _) => {
                let half = 1i64 << (width - 1);
                Ok((Sort::Integer(-half, half - 1), false))
            }
        },
        (Cast::ToInt, _) => mismatch(&name, from, "a boolean, a number or a word"),
        (Cast::Signed, Sort::Word { width, .. }) => word(true, width.into(), &name),
        (Cast::Unsigned, Sort::Word { width, .. }) => word(false, width.into(), &name),
        (Cast::Extend(more), Sort::Word { signed, width }) => {
            word(signed, u64::from(width) + u64::from(more), &name)
        }
        (Cast::Resize(bits), Sort::Word { signed, .. }) => word(signed, bits.into(), &name),
        (Cast::Abs, Sort::Integer(low, high)) => match (low.checked_abs(), high.checked_abs()) {
            (Some(a), Some(b)) => {
                let least = if low > 0 || high < 0 { a.min(b) } else { 0 };
                Ok((Sort::Integer(least, a.max(b)), false))
            }
            _ => too_large(&name),
        },
        (Cast::Abs, _) => mismatch(&name, from, "a number"),
        _ => mismatch(&name, from, "a word"),
    }
}
