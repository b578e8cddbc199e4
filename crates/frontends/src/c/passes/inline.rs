//! Inlining of small functions: `assert` and `assume` written as functions, getters,
//! and the like. Only those without loops and calls, so nothing grows more than by a constant for each call.

use rustc_hash::FxHashMap;
use suppose_source::Span;

use crate::c::ir::{
    Block, BlockId, End, Expr, ExprKind, FnId, Function, Op, OpKind, Program, VarId,
};

/// Puts functions of at most this many steps in place.
pub(in crate::c) fn inline(program: &mut Program, limit: usize) {
    let root = program.root();
    let small: Vec<bool> = (0..program.functions.len())
        .map(|i| FnId(i as u32) != root && is_small(&program.functions[i], limit))
        .collect();
    for i in 0..program.functions.len() {
        let mut at = 0;
        while at < program.functions[i].blocks.len() {
            if let End::Call { callee, .. } = program.functions[i].blocks[at].end
                && small[callee.index()]
            {
                put_in_place(program, FnId(i as u32), BlockId(at as u32), callee);
            }
            at += 1;
        }
    }
}

fn reachable(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut stack = vec![Function::ENTRY];
    let mut all = Vec::new();
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        all.push(block);
        stack.extend(function.block(block).successors());
    }
    all
}

fn is_small(function: &Function, limit: usize) -> bool {
    let blocks = reachable(function);
    let is_call = |b: &BlockId| matches!(function.block(*b).end, End::Call { .. });
    // Blocks that only lead on are no steps.
    let steps: usize = blocks
        .iter()
        .map(|b| {
            let block = function.block(*b);
            block.ops.len() + usize::from(matches!(block.end, End::Branch(..) | End::Switch(..)))
        })
        .sum();
    steps <= limit && !blocks.iter().any(is_call) && !has_cycle(function)
}

fn has_cycle(function: &Function) -> bool {
    let mut state = vec![0u8; function.blocks.len()];
    let mut stack = vec![(Function::ENTRY, false)];
    while let Some((block, done)) = stack.pop() {
        let here = &mut state[block.index()];
        if done {
            *here = 2;
            continue;
        }
        match *here {
            1 => return true,
            2 => continue,
            _ => *here = 1,
        }
        stack.push((block, true));
        for next in function.block(block).successors() {
            match state[next.index()] {
                1 => return true,
                0 => stack.push((next, false)),
                _ => {}
            }
        }
    }
    false
}

struct Copier {
    offset: u32,
    vars: FxHashMap<VarId, VarId>,
}

fn put_in_place(program: &mut Program, caller: FnId, at: BlockId, callee: FnId) {
    let body = program.function(callee).clone();
    let block = program.function(caller).block(at).clone();
    let End::Call {
        args, result, next, ..
    } = block.end
    else {
        return;
    };
    let mut copier = Copier {
        offset: program.function(caller).blocks.len() as u32,
        vars: FxHashMap::default(),
    };
    let mut new = Vec::new();
    for old in &body.blocks {
        new.push(copier.block(old, program));
    }
    for block in &mut new {
        if matches!(block.end, End::Return) {
            finish(block, result, &body, &copier, program, next);
        }
    }
    let params: Vec<VarId> = body
        .params
        .iter()
        .map(|p| copier.var(*p, program))
        .collect();
    let target = &mut program.functions[caller.index()];
    target.blocks.extend(new);
    let call = &mut target.blocks[at.index()];
    for (param, value) in params.iter().zip(args) {
        let span = value.span;
        let kind = OpKind::Assign(*param, value);
        call.ops.push(Op { kind, span });
    }
    let kind = OpKind::Enter(callee, params);
    let span = call.span;
    call.ops.push(Op { kind, span });
    call.end = End::Goto(BlockId(copier.offset));
}

fn finish(
    block: &mut Block,
    result: Option<VarId>,
    body: &Function,
    copier: &Copier,
    program: &Program,
    next: BlockId,
) {
    let span: Span = block.span;
    if let (Some(to), Some(from)) = (result, body.result) {
        let value = Expr::new(
            ExprKind::Var(copier.vars.get(&from).copied().unwrap_or(from)),
            program.var(from).ty,
            span,
        );
        let kind = OpKind::Assign(to, value);
        block.ops.push(Op { kind, span });
    }
    let kind = OpKind::Leave;
    block.ops.push(Op { kind, span });
    block.end = End::Goto(next);
}

impl Copier {
    /// The copy of a local; globals stay.
    fn var(&mut self, var: VarId, program: &mut Program) -> VarId {
        if program.var(var).global {
            return var;
        }
        if let Some(&copy) = self.vars.get(&var) {
            return copy;
        }
        let old = program.var(var).clone();
        let copy = program.add_var(&old.name, old.ty, false, old.hidden);
        self.vars.insert(var, copy);
        copy
    }

    fn expr(&mut self, expr: &mut Expr, program: &mut Program) {
        match &mut expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Var(var) => *var = self.var(*var, program),
            ExprKind::Convert(a) | ExprKind::Not(a) => self.expr(a, program),
            ExprKind::Binary(_, a, b)
            | ExprKind::Fits(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => {
                self.expr(a, program);
                self.expr(b, program);
            }
            ExprKind::Ite(a, b, c) => {
                for part in [a, b, c] {
                    self.expr(part, program);
                }
            }
        }
    }

    fn block(&mut self, old: &Block, program: &mut Program) -> Block {
        let mut block = old.clone();
        for op in &mut block.ops {
            match &mut op.kind {
                OpKind::Assign(var, value) => {
                    self.expr(value, program);
                    *var = self.var(*var, program);
                }
                OpKind::Havoc(var, _) => *var = self.var(*var, program),
                OpKind::Enter(..) | OpKind::Leave | OpKind::Memory(_) => {}
            }
        }
        match &mut block.end {
            End::Branch(condition, ..) | End::Switch(condition, ..) => {
                self.expr(condition, program)
            }
            _ => {}
        }
        let offset = self.offset;
        block.redirect(|b| BlockId(b.0 + offset));
        block
    }
}
