//! Steps to parts of objects as expressions, and formulas about them.

use suppose_number::Int;
use suppose_source::Span;

use super::state::{Instance, Sel};
use crate::c::ir::{Expr, ExprKind, VarId};
use crate::c::types::{BinaryOp, IntType};

/// A step to a part, in terms of the resolved program.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Field(u32),
    Index(Expr),
}

/// Where a place is.
pub(super) enum Located {
    At(Instance, Vec<Part>),
    Null,
    Unknown,
    /// Beside what a pointer points to.
    Outside,
}

/// A scalar of an object that indices may mean, and when they do.
pub(super) type Choice = (Option<Expr>, Vec<Sel>);

pub(super) fn long(n: i64, span: Span) -> Expr {
    Expr::constant(Int::from(n), IntType::LongLong, span)
}

pub(super) fn constant(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Const(n) => n.to_i64(),
        _ => None,
    }
}

pub(super) fn is_true(e: &Expr) -> Option<bool> {
    match &e.kind {
        ExprKind::Const(n) => Some(!n.is_zero()),
        _ => None,
    }
}

pub(super) fn both(a: Option<Expr>, b: Expr) -> Expr {
    let span = b.span;
    match a {
        None => b,
        Some(a) => match (is_true(&a), is_true(&b)) {
            (Some(true), _) | (_, Some(false)) => b,
            (Some(false), _) | (_, Some(true)) => a,
            _ => Expr::new(ExprKind::And(Box::new(a), Box::new(b)), IntType::Int, span),
        },
    }
}

pub(super) fn not(a: Expr) -> Expr {
    let span = a.span;
    match is_true(&a) {
        Some(t) => Expr::constant(Int::from(i32::from(!t)), IntType::Int, span),
        None => Expr::new(ExprKind::Not(Box::new(a)), IntType::Int, span),
    }
}

pub(super) fn either(condition: Expr, a: Expr, b: Expr) -> Expr {
    match is_true(&condition) {
        Some(true) => a,
        Some(false) => b,
        None => {
            let (ty, span) = (a.ty, a.span);
            let kind = ExprKind::Ite(Box::new(condition), Box::new(a), Box::new(b));
            Expr::new(kind, ty, span)
        }
    }
}

/// Variable and number that an index is the sum of.
pub(super) fn linear(e: &Expr) -> Option<(Option<VarId>, Int)> {
    match &e.kind {
        ExprKind::Const(n) => Some((None, n.clone())),
        ExprKind::Var(v) => Some((Some(*v), Int::ZERO)),
        ExprKind::Convert(inner) => match inner.kind {
            ExprKind::Var(v) => Some((Some(v), Int::ZERO)),
            _ => None,
        },
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let ((v, m), (None, n)) = (linear(a)?, linear(b)?) else {
                return None;
            };
            Some((
                v,
                if *op == BinaryOp::Add {
                    &m + &n
                } else {
                    &m - &n
                },
            ))
        }
        _ => None,
    }
}

pub(super) fn fields(parts: &[Part]) -> Vec<u32> {
    let field = |p: &Part| match p {
        Part::Field(n) => Some(*n),
        Part::Index(_) => None,
    };
    parts.iter().filter_map(field).collect()
}

/// The last indices of two ways that are the same up to there, with constants.
pub(super) fn last_indices(a: &[Part], b: &[Part]) -> Option<(Expr, Expr)> {
    let (Part::Index(x), first) = a.split_last()? else {
        return None;
    };
    let (Part::Index(y), second) = b.split_last()? else {
        return None;
    };
    let same = |pair: (&Part, &Part)| match pair {
        (Part::Field(m), Part::Field(n)) => m == n,
        (Part::Index(x), Part::Index(y)) => constant(x).is_some() && constant(x) == constant(y),
        _ => false,
    };
    (first.len() == second.len() && first.iter().zip(second).all(same))
        .then(|| (x.clone(), y.clone()))
}
