//! Constant expressions.

use suppose_number::Int;

use super::ast::{Expr, ExprKind, Operator, Type, UnaryOp};
use super::types::{BinaryOp, IntType, Semantics};

/// Value and type of a constant expression; none if it is not one.
pub(super) fn fold(expr: &Expr, semantics: Semantics) -> Option<(Int, IntType)> {
    let truth = |t: bool| Some((Int::from(i32::from(t)), IntType::Int));
    match &expr.kind {
        ExprKind::Number(value, ty) => Some((value.clone(), *ty)),
        ExprKind::Unary(op, inner) => {
            let (value, ty) = fold(inner, semantics)?;
            if *op == UnaryOp::Not {
                return truth(value.is_zero());
            }
            let ty = semantics.promoted(ty);
            let value = match op {
                UnaryOp::Minus => {
                    return Some((semantics.apply(BinaryOp::Sub, ty, &Int::ZERO, &value)?, ty));
                }
                UnaryOp::Complement => &-&value - &Int::ONE,
                _ => value,
            };
            Some((semantics.convert(ty, &value), ty))
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (fold(a, semantics)?, fold(b, semantics)?);
            binary(semantics, *op, a, b)
        }
        ExprKind::And(a, b) => match fold(a, semantics)? {
            (a, _) if a.is_zero() => truth(false),
            _ => truth(!fold(b, semantics)?.0.is_zero()),
        },
        ExprKind::Or(a, b) => match fold(a, semantics)? {
            (a, _) if !a.is_zero() => truth(true),
            _ => truth(!fold(b, semantics)?.0.is_zero()),
        },
        ExprKind::Chain(first, rest) => {
            let mut left = fold(first, semantics)?;
            for (op, right) in rest {
                left = match op {
                    Operator::Plain(op) => binary(semantics, *op, left, fold(right, semantics)?)?,
                    // The second operand counts only if the first does not decide.
                    Operator::And if left.0.is_zero() => truth(false)?,
                    Operator::Or if !left.0.is_zero() => truth(true)?,
                    _ => truth(!fold(right, semantics)?.0.is_zero())?,
                };
            }
            Some(left)
        }
        ExprKind::Conditional(condition, a, b) => {
            let condition = fold(condition, semantics)?.0;
            let (a, b) = (fold(a, semantics)?, fold(b, semantics)?);
            let ty = semantics.common(a.1, b.1);
            let value = if condition.is_zero() { b.0 } else { a.0 };
            Some((semantics.convert(ty, &value), ty))
        }
        ExprKind::Cast(Type::Int(ty), inner) => {
            let (value, _) = fold(inner, semantics)?;
            Some((semantics.convert(*ty, &value), *ty))
        }
        _ => None,
    }
}

fn binary(
    semantics: Semantics,
    op: BinaryOp,
    (a, left): (Int, IntType),
    (b, right): (Int, IntType),
) -> Option<(Int, IntType)> {
    let ty = if op.is_shift() {
        semantics.promoted(left)
    } else {
        semantics.common(left, right)
    };
    let a = semantics.convert(ty, &a);
    let b = if op.is_shift() {
        b
    } else {
        semantics.convert(ty, &b)
    };
    let value = semantics.apply(op, ty, &a, &b)?;
    let ty = if op.is_comparison() { IntType::Int } else { ty };
    Some((value, ty))
}
