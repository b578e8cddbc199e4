//! Calls: which stay, and how the others are put in place.

use std::collections::BTreeSet;

use suppose_source::Span;

use super::resolve::{Resolver, Site, Step};
use super::state::{Holder, State};
use crate::c::ir::{BlockId, End, Expr, ExprKind, FnId, Function, OpKind, Program, VarId};

/// How deep calls are put in place.
const DEPTH: usize = 60;

/// Functions that neither use memory nor call what does; those that fail are put in place where they can be.
pub(super) fn kept(program: &Program) -> Vec<bool> {
    let count = program.functions.len();
    let mut kept: Vec<bool> = (program.functions.iter())
        .map(|f| {
            f.blocks.iter().all(|b| {
                !matches!(b.end, End::CallPointer { .. })
                    && b.ops.iter().all(|op| !matches!(op.kind, OpKind::Memory(_)))
            }) && f.params.iter().all(|p| !program.var(*p).pointer)
        })
        .collect();
    let callees: Vec<Vec<FnId>> = program.functions.iter().map(Function::callees).collect();
    let mut reaches: Vec<BTreeSet<FnId>> = (callees.iter())
        .map(|c| c.iter().copied().collect())
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..count {
            let more: Vec<FnId> = (reaches[i].iter())
                .flat_map(|c| reaches[c.index()].iter().copied())
                .filter(|c| !reaches[i].contains(c))
                .collect();
            changed |= !more.is_empty();
            reaches[i].extend(more);
        }
    }
    let fails = |f: &Function| f.blocks.iter().any(|b| matches!(b.end, End::Error));
    let plain = kept.clone();
    for i in 0..count {
        let all = std::iter::once(FnId(i as u32)).chain(reaches[i].iter().copied());
        let mut all = all.map(FnId::index);
        let is_recursive = reaches[i].contains(&FnId(i as u32));
        kept[i] = all.clone().all(|f| plain[f])
            && (is_recursive || !all.any(|f| fails(&program.functions[f])));
    }
    kept
}

impl Resolver<'_> {
    pub(super) fn call(
        &mut self,
        mut state: State,
        at: Site,
        callee: FnId,
        args: &[Expr],
        (result, next): (Option<VarId>, BlockId),
        span: Span,
    ) -> Step<()> {
        let depth = at.stack.len();
        let from = self.from;
        let params = &from.function(callee).params;
        if params.len() != args.len() {
            self.refused("a call with another number of arguments", span);
            return Ok(());
        }
        if self.kept[callee.index()] {
            let args = args.iter().map(|a| self.expr(&state, a, depth)).collect();
            let result = result.map(|r| self.var(r, depth));
            let changed = self.effects.modifies(callee).iter().copied();
            for var in changed.chain(result) {
                state.assigned(var);
                state.numbers.remove(&var);
            }
            // The call has a block of its own.
            let call = self.new_block(span);
            self.end(End::Goto(call), span);
            let block = next;
            let next = self.reach(state, Site { block, ..at }, span)?;
            self.current = call;
            self.end(
                End::Call {
                    callee,
                    args,
                    result,
                    next,
                },
                span,
            );
            return Ok(());
        }
        if depth >= DEPTH {
            self.refused("recursion with pointers or memory goes too deep", span);
            return Ok(());
        }
        let mut shown = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let new = self.var(*param, depth + 1);
            let is_pointer = from.var(*param).pointer;
            match (&arg.kind, is_pointer) {
                (ExprKind::Var(var), true) if from.var(*var).pointer => {
                    let holder = Holder::Var(self.var(*var, depth));
                    let target = state.target(&holder);
                    self.point_to(&mut state, Holder::Var(new), target, span);
                }
                (_, false) => {
                    let value = self.expr(&state, arg, depth);
                    self.assign(&mut state, new, value, span);
                    shown.push(new);
                }
                _ => {
                    self.refused("a call with other arguments", span);
                    return Ok(());
                }
            }
        }
        self.emit(OpKind::Enter(callee, shown), span);
        let mut stack = at.stack;
        stack.push((at.function, at.block));
        let site = Site {
            stack,
            function: callee,
            block: Function::ENTRY,
        };
        let next = self.reach(state, site, span)?;
        self.end(End::Goto(next), span);
        Ok(())
    }

    pub(super) fn come_back(&mut self, state: &mut State, mut at: Site, span: Span) -> Step<()> {
        let depth = at.stack.len();
        let Some((function, call)) = at.stack.pop() else {
            self.end(End::Return, span);
            return Ok(());
        };
        self.emit(OpKind::Leave, span);
        let from = self.from;
        let given = from.function(at.function).result;
        let (result, next) = match &from.function(function).block(call).end {
            End::Call { result, next, .. } | End::CallPointer { result, next, .. } => {
                (*result, *next)
            }
            _ => (None, call),
        };
        if let (Some(result), Some(given)) = (result, given) {
            let (to, of) = (self.var(result, depth - 1), self.var(given, depth));
            match (from.var(result).pointer, from.var(given).pointer) {
                (true, true) => {
                    let target = state.target(&Holder::Var(of));
                    self.point_to(state, Holder::Var(to), target, span);
                }
                (false, false) => {
                    let ty = self.out.var(of).ty;
                    let kind = match state.numbers.get(&of) {
                        Some(n) => ExprKind::Const(n.clone()),
                        None => ExprKind::Var(of),
                    };
                    self.assign(state, to, Expr::new(kind, ty, span), span);
                }
                _ => {
                    self.refused("a result of another type", span);
                    return Ok(());
                }
            }
        }
        // What the function declared is over.
        for ((level, _), instance) in state.locals.clone() {
            if level == depth
                && let Some(object) = state.objects.get_mut(&instance)
            {
                object.over = true;
            }
        }
        state.locals.retain(|(level, _), _| *level < depth);
        let site = Site {
            stack: at.stack,
            function,
            block: next,
        };
        let next = self.reach(state.clone(), site, span)?;
        self.end(End::Goto(next), span);
        Ok(())
    }
}
