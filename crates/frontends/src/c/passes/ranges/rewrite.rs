//! What is known put to use: conditions that are decided, operations that stay in their range.

use super::Ranges;
use super::domain::{Domain, Env};
use super::interval::{exact, is_inside};
use crate::c::ir::{BlockId, End, Expr, ExprKind, OpKind, Program};
use crate::c::types::{IntType, Semantics};

/// Takes out branches that are never taken, and marks what is exact.
pub(in crate::c) fn simplify(program: &mut Program, ranges: &Ranges, semantics: Semantics) {
    if ranges.functions.is_empty() {
        return;
    }
    let before = program.clone();
    let domain = Domain {
        program: &before,
        semantics,
    };
    for (function, known) in program.functions.iter_mut().zip(&ranges.functions) {
        for (block, env) in function.blocks.iter_mut().zip(&known.at) {
            let Some(mut env) = env.clone() else {
                block.ops.clear();
                block.end = End::Halt;
                continue;
            };
            for op in &mut block.ops {
                if let OpKind::Assign(_, value) = &mut op.kind {
                    mark(domain, &env, value);
                }
                domain.step(&mut env, &op.kind);
            }
            end(domain, &env, &mut block.end);
        }
    }
}

fn end(domain: Domain<'_>, env: &Env, end: &mut End) {
    let only: Option<BlockId> = match end {
        End::Branch(condition, yes, no) => {
            let [yes_holds, no_holds] =
                [true, false].map(|holds| domain.assume(&mut env.clone(), condition, holds));
            match (yes_holds, no_holds) {
                (true, false) => Some(*yes),
                (false, true) => Some(*no),
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(only) = only {
        *end = End::Goto(only);
        return;
    }
    match end {
        End::Branch(value, ..) | End::Switch(value, ..) => mark(domain, env, value),
        End::Call { args, .. } => args.iter_mut().for_each(|a| mark(domain, env, a)),
        _ => {}
    }
}

/// Marks the operators and conversions whose exact result is in the range of their type. What stands behind `&&`, `||` and
/// `?` counts only where it is evaluated: elsewhere its value is not examined.
fn mark(domain: Domain<'_>, env: &Env, expr: &mut Expr) {
    let under = |condition: &Expr, holds: bool, part: &mut Expr| {
        let mut env = env.clone();
        if domain.assume(&mut env, condition, holds) {
            mark(domain, &env, part);
        }
    };
    match &mut expr.kind {
        ExprKind::Const(_) | ExprKind::Var(_) => return,
        ExprKind::And(a, b) => {
            mark(domain, env, a);
            under(a, true, b);
            return;
        }
        ExprKind::Or(a, b) => {
            mark(domain, env, a);
            under(a, false, b);
            return;
        }
        ExprKind::Ite(condition, a, b) => {
            mark(domain, env, condition);
            under(condition, true, a);
            under(condition, false, b);
            return;
        }
        ExprKind::Not(a) | ExprKind::Convert(a) => mark(domain, env, a),
        ExprKind::Binary(_, a, b) | ExprKind::Fits(_, a, b) => {
            mark(domain, env, a);
            mark(domain, env, b);
        }
    }
    let range = domain.semantics.range(expr.ty);
    let found = match &expr.kind {
        ExprKind::Convert(inner) if expr.ty != IntType::Bool => Some(domain.eval(env, inner)),
        ExprKind::Binary(op, a, b) if !op.is_comparison() => {
            let (x, y) = (domain.eval(env, a), domain.eval(env, b));
            exact(domain.semantics, *op, a.ty, &x, &y)
        }
        _ => None,
    };
    expr.exact = found.is_some_and(|n| is_inside(&n, &range));
}
