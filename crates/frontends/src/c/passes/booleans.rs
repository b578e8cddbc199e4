//! Which variables are only ever 0 or 1, whatever their type: they become Boolean.

use crate::c::ir::{End, Expr, ExprKind, OpKind, Program, VarId};
use crate::c::types::{BinaryOp, IntType};

/// For each variable: is it always 0 or 1? Found by assuming it of all and taking back what fails.
pub(in crate::c) fn booleans(program: &Program) -> Vec<bool> {
    let mut is_bool = vec![true; program.vars.len()];
    let mut changed = true;
    while changed {
        changed = false;
        let mut lose = |var: VarId, is_bool: &mut Vec<bool>| {
            if program.var(var).ty != IntType::Bool && is_bool[var.index()] {
                is_bool[var.index()] = false;
                changed = true;
            }
        };
        for function in &program.functions {
            for block in &function.blocks {
                for op in &block.ops {
                    match &op.kind {
                        OpKind::Assign(var, value) if !is_truth(value, &is_bool) => {
                            lose(*var, &mut is_bool)
                        }
                        OpKind::Havoc(var, _) => lose(*var, &mut is_bool),
                        _ => {}
                    }
                }
                let End::Call {
                    callee,
                    args,
                    result,
                    ..
                } = &block.end
                else {
                    continue;
                };
                let callee = program.function(*callee);
                for (param, arg) in callee.params.iter().zip(args) {
                    if !is_truth(arg, &is_bool) {
                        lose(*param, &mut is_bool);
                    }
                }
                if let (Some(to), Some(from)) = (result, callee.result)
                    && !is_bool[from.index()]
                {
                    lose(*to, &mut is_bool);
                }
            }
        }
    }
    is_bool
}

pub(in crate::c) fn is_truth(expr: &Expr, is_bool: &[bool]) -> bool {
    use BinaryOp::{BitAnd, BitOr, BitXor};
    match &expr.kind {
        ExprKind::Const(n) => n.is_zero() || n.is_one(),
        ExprKind::Var(var) => is_bool[var.index()],
        ExprKind::Convert(inner) => expr.ty == IntType::Bool || is_truth(inner, is_bool),
        ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Fits(..) => true,
        ExprKind::Ite(_, a, b) | ExprKind::Binary(BitAnd | BitOr | BitXor, a, b) => {
            is_truth(a, is_bool) && is_truth(b, is_bool)
        }
        ExprKind::Binary(op, ..) => op.is_comparison(),
    }
}
