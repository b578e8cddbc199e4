//! Constant propagation along the paths that can be taken (conditional constants, one function at a time),
//! and blocks that are never reached taken out.

use std::collections::BTreeMap;

use suppose_number::Int;

use super::effects::Effects;
use crate::c::ir::{BlockId, End, Expr, ExprKind, FnId, Function, OpKind, Program, VarId};
use crate::c::types::{BinaryOp, Semantics};

/// The variables whose value is known.
type Known = BTreeMap<VarId, Int>;

/// Constant propagation: replaces variables by constants, and decides branches on them.
pub(in crate::c) fn propagate(program: &mut Program, effects: &Effects, semantics: Semantics) {
    let fixed = fixed_globals(program, effects);
    for i in 0..program.functions.len() {
        let id = FnId(i as u32);
        let start = if id == program.root() {
            Known::new()
        } else {
            fixed.clone()
        };
        let known = analyse(&program.functions[i], start, effects, semantics);
        rewrite(&mut program.functions[i], known, semantics);
    }
}

/// Globals that keep their first value.
fn fixed_globals(program: &Program, effects: &Effects) -> Known {
    let root = program.function(program.root());
    let mut fixed = Known::new();
    let mut spoilt = Vec::new();
    for op in &root.block(Function::ENTRY).ops {
        if let OpKind::Assign(var, value) = &op.kind
            && let ExprKind::Const(n) = &value.kind
            && program.var(*var).global
        {
            fixed.insert(*var, n.clone());
        }
    }
    for block in root.blocks.iter().skip(1) {
        spoilt.extend(assigned(&block.ops));
        if let End::Call { callee, .. } = block.end {
            spoilt.extend(effects.modifies(callee).iter().copied());
        }
    }
    // A block may be entered again by a jump only if it is not the first one.
    for var in spoilt {
        fixed.remove(&var);
    }
    fixed
}

fn assigned(ops: &[crate::c::ir::Op]) -> Vec<VarId> {
    let of = |kind: &OpKind| match kind {
        OpKind::Assign(var, _) | OpKind::Havoc(var, _) => Some(*var),
        _ => None,
    };
    ops.iter().filter_map(|op| of(&op.kind)).collect()
}

fn analyse(
    function: &Function,
    start: Known,
    effects: &Effects,
    semantics: Semantics,
) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; function.blocks.len()];
    known[Function::ENTRY.index()] = Some(start);
    let mut work = vec![Function::ENTRY];
    while let Some(id) = work.pop() {
        let Some(mut here) = known[id.index()].clone() else {
            continue;
        };
        let block = function.block(id);
        for op in &block.ops {
            step(&op.kind, &mut here, semantics);
        }
        if let End::Call { callee, result, .. } = &block.end {
            for var in effects.modifies(*callee) {
                here.remove(var);
            }
            if let Some(result) = result {
                here.remove(result);
            }
        }
        for next in taken(&block.end, &here, semantics) {
            let changed = match &mut known[next.index()] {
                none @ None => {
                    *none = Some(here.clone());
                    true
                }
                Some(there) => {
                    let before = there.len();
                    there.retain(|var, value| here.get(var) == Some(value));
                    there.len() < before
                }
            };
            if changed {
                work.push(next);
            }
        }
    }
    known
}

fn step(kind: &OpKind, known: &mut Known, semantics: Semantics) {
    match kind {
        OpKind::Assign(var, value) => match evaluate(value, known, semantics) {
            Some(value) => {
                known.insert(*var, value);
            }
            None => {
                known.remove(var);
            }
        },
        OpKind::Havoc(var, _) => {
            known.remove(var);
        }
        OpKind::Enter(..) | OpKind::Leave | OpKind::Memory(_) => {}
    }
}

fn taken(end: &End, known: &Known, semantics: Semantics) -> Vec<BlockId> {
    match end {
        End::Goto(next) | End::Call { next, .. } | End::CallPointer { next, .. } => {
            vec![*next]
        }
        End::Branch(condition, yes, no) => match evaluate(condition, known, semantics) {
            Some(n) => vec![if n.is_zero() { *no } else { *yes }],
            None => vec![*yes, *no],
        },
        End::Switch(value, cases, default) => match evaluate(value, known, semantics) {
            Some(n) => {
                let case = cases.iter().find(|(m, _)| *m == n);
                vec![case.map_or(*default, |(_, b)| *b)]
            }
            None => {
                let mut all: Vec<BlockId> = cases.iter().map(|(_, b)| *b).collect();
                all.push(*default);
                all
            }
        },
        End::Return | End::Halt | End::Error => Vec::new(),
    }
}

/// The value, if it follows from what is known.
fn evaluate(expr: &Expr, known: &Known, semantics: Semantics) -> Option<Int> {
    let truth = |t: bool| Some(Int::from(i32::from(t)));
    let value = |e: &Expr| evaluate(e, known, semantics);
    match &expr.kind {
        ExprKind::Const(n) => Some(n.clone()),
        ExprKind::Var(var) => known.get(var).cloned(),
        ExprKind::Convert(inner) => Some(semantics.convert(expr.ty, &value(inner)?)),
        ExprKind::Not(inner) => truth(value(inner)?.is_zero()),
        ExprKind::And(a, b) => match (value(a), value(b)) {
            (Some(n), _) | (_, Some(n)) if n.is_zero() => truth(false),
            (Some(_), Some(_)) => truth(true),
            _ => None,
        },
        ExprKind::Or(a, b) => match (value(a), value(b)) {
            (Some(n), _) | (_, Some(n)) if !n.is_zero() => truth(true),
            (Some(_), Some(_)) => truth(false),
            _ => None,
        },
        ExprKind::Ite(c, a, b) => match value(c) {
            Some(n) if n.is_zero() => value(b),
            Some(_) => value(a),
            None => {
                let a = value(a)?;
                (value(b)? == a).then_some(a)
            }
        },
        // Division by 0 is refused when clauses are made.
        ExprKind::Fits(BinaryOp::Div | BinaryOp::Rem, _, b) if value(b)?.is_zero() => None,
        ExprKind::Fits(op, a, b) => truth(semantics.fits(*op, a.ty, &value(a)?, &value(b)?)),
        ExprKind::Binary(op, a, b) => {
            let zero = |e: &Expr| value(e).is_some_and(|n| n.is_zero());
            if matches!(op, BinaryOp::Mul | BinaryOp::BitAnd) && (zero(a) || zero(b)) {
                return Some(Int::ZERO);
            }
            semantics.apply(*op, a.ty, &value(a)?, &value(b)?)
        }
    }
}

fn rewrite(function: &mut Function, known: Vec<Option<Known>>, semantics: Semantics) {
    for (block, known) in function.blocks.iter_mut().zip(known) {
        let Some(mut known) = known else {
            block.ops.clear();
            block.end = End::Halt;
            continue;
        };
        for op in &mut block.ops {
            if let OpKind::Assign(_, value) = &mut op.kind {
                simplify(value, &known, semantics);
            }
            step(&op.kind, &mut known, semantics);
        }
        match &mut block.end {
            End::Branch(condition, ..) | End::Switch(condition, ..) => {
                simplify(condition, &known, semantics);
            }
            End::Call { args, .. } => args.iter_mut().for_each(|a| simplify(a, &known, semantics)),
            _ => {}
        }
        let next = taken(&block.end, &known, semantics);
        if let (End::Branch(..) | End::Switch(..), [only]) = (&block.end, next.as_slice()) {
            block.end = End::Goto(*only);
        }
    }
}

fn simplify(expr: &mut Expr, known: &Known, semantics: Semantics) {
    if let Some(n) = evaluate(expr, known, semantics) {
        // An operation that C leaves open has no value, and stays to be refused.
        *expr = Expr::constant(n, expr.ty, expr.span);
        return;
    }
    match &mut expr.kind {
        ExprKind::Const(_) | ExprKind::Var(_) => {}
        ExprKind::Convert(a) | ExprKind::Not(a) => simplify(a, known, semantics),
        ExprKind::Binary(_, a, b)
        | ExprKind::Fits(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b) => {
            simplify(a, known, semantics);
            simplify(b, known, semantics);
        }
        ExprKind::Ite(a, b, c) => {
            for part in [a, b, c] {
                simplify(part, known, semantics);
            }
        }
    }
}
