//! Questions before every signed operation: does its result fit?
//!
//! What a program does after a signed overflow is not said by C. A block is split before an operation that may overflow,
//! and where the result does not fit, the run ends: for the assertions because nothing that follows counts,
//! for the claim that nothing overflows because that is the violation. After the question the operation is exact.

use suppose_source::Span;

use crate::c::Claim;
use crate::c::ir::{Block, BlockId, End, Expr, ExprKind, Function, OpKind, Program};
use crate::c::types::{BinaryOp, IntType, Semantics};

/// Splits the blocks. For the claim about overflow, assertions that fail are ends of runs like others.
pub(in crate::c) fn insert(program: &mut Program, semantics: Semantics, claim: Claim) {
    for function in &mut program.functions {
        if claim == Claim::NoOverflow {
            for block in &mut function.blocks {
                if matches!(block.end, End::Error) {
                    block.end = End::Halt;
                }
            }
        }
        for at in 0..function.blocks.len() {
            split(function, BlockId(at as u32), semantics, claim);
        }
    }
}

/// A block keeps its number for its first part; the others come last.
fn split(function: &mut Function, id: BlockId, semantics: Semantics, claim: Claim) {
    let old = &mut function.blocks[id.index()];
    let span = old.span;
    let ops = std::mem::take(&mut old.ops);
    let end = std::mem::replace(&mut old.end, End::Halt);
    let mut at = id;
    for op in ops {
        if let OpKind::Assign(_, value) = &op.kind {
            at = ask(function, at, questions(value, semantics), claim);
        }
        function.blocks[at.index()].ops.push(op);
    }
    let asked = match &end {
        End::Branch(value, ..) | End::Switch(value, ..) => questions(value, semantics),
        End::Call { args, .. } => {
            let all = args.iter().flat_map(|a| questions(a, semantics));
            all.collect()
        }
        _ => Vec::new(),
    };
    at = ask(function, at, asked, claim);
    function.blocks[at.index()].end = end;
    function.blocks[at.index()].span = span;
}

/// Ends a block with the questions, one after the other, and says where to continue.
fn ask(function: &mut Function, mut at: BlockId, asked: Vec<Expr>, claim: Claim) -> BlockId {
    for question in asked {
        let span = question.span;
        let end = match claim {
            Claim::NoOverflow => End::Error,
            _ => End::Halt,
        };
        let bad = new_block(function, end, span);
        let good = new_block(function, End::Halt, span);
        let block = &mut function.blocks[at.index()];
        block.end = End::Branch(question, good, bad);
        block.span = span;
        at = good;
    }
    at
}

fn new_block(function: &mut Function, end: End, span: Span) -> BlockId {
    let ops = Vec::new();
    function.blocks.push(Block { ops, end, span });
    BlockId(function.blocks.len() as u32 - 1)
}

/// What must be asked before an expression is evaluated, in order.
fn questions(expr: &Expr, semantics: Semantics) -> Vec<Expr> {
    let mut found = Vec::new();
    collect(expr, semantics, None, &mut found);
    found
}

/// `unless` is true where the expression is not evaluated.
fn collect(expr: &Expr, semantics: Semantics, unless: Option<&Expr>, found: &mut Vec<Expr>) {
    let int = |kind: ExprKind| Expr::new(kind, IntType::Int, expr.span);
    let or = |a: Option<&Expr>, b: Expr| match a {
        None => b,
        Some(a) => int(ExprKind::Or(Box::new(a.clone()), Box::new(b))),
    };
    let not = |e: &Expr| int(ExprKind::Not(Box::new(e.clone())));
    match &expr.kind {
        ExprKind::And(a, b) => {
            collect(a, semantics, unless, found);
            collect(b, semantics, Some(&or(unless, not(a))), found);
        }
        ExprKind::Or(a, b) => {
            collect(a, semantics, unless, found);
            collect(b, semantics, Some(&or(unless, (**a).clone())), found);
        }
        ExprKind::Ite(condition, a, b) => {
            collect(condition, semantics, unless, found);
            collect(a, semantics, Some(&or(unless, not(condition))), found);
            let other = or(unless, (**condition).clone());
            collect(b, semantics, Some(&other), found);
        }
        ExprKind::Binary(op, a, b) => {
            collect(a, semantics, unless, found);
            collect(b, semantics, unless, found);
            if semantics.is_checked(*op, a.ty) && can_overflow(*op, b) {
                let fits = ExprKind::Fits(*op, a.clone(), b.clone());
                found.push(or(unless, int(fits)));
            }
        }
        _ => {
            for child in expr.children() {
                collect(child, semantics, unless, found);
            }
        }
    }
}

/// A quotient leaves the range only with the divisor -1. (Division by 0 is refused.)
fn can_overflow(op: BinaryOp, right: &Expr) -> bool {
    match (&right.kind, op) {
        (ExprKind::Const(n), BinaryOp::Div | BinaryOp::Rem) => *n == suppose_number::Int::MINUS_ONE,
        _ => true,
    }
}
