//! What functions may do: change globals, come back, fail.

use std::collections::BTreeSet;

use crate::c::ir::{Block, BlockId, End, FnId, Function, OpKind, Program, VarId};

/// Per function.
#[derive(Clone, Debug)]
pub(in crate::c) struct Effects {
    modifies: Vec<BTreeSet<VarId>>,
    /// May a call come back?
    pub(in crate::c) returns: Vec<bool>,
    /// May an assertion be violated in it or below?
    pub(in crate::c) fails: Vec<bool>,
    /// For each block: can the function come back from here, and does something depend on it?
    pub(in crate::c) to_return: Vec<Vec<bool>>,
    /// Can it fail from here?
    pub(in crate::c) to_failure: Vec<Vec<bool>>,
}

impl Effects {
    /// The globals that a call may change.
    pub(in crate::c) fn modifies(&self, function: FnId) -> &BTreeSet<VarId> {
        &self.modifies[function.index()]
    }

    pub(in crate::c) fn of(program: &Program) -> Effects {
        let count = program.functions.len();
        let mut it = Effects {
            modifies: program.functions.iter().map(|f| own(program, f)).collect(),
            returns: vec![false; count],
            fails: vec![false; count],
            to_return: Vec::new(),
            to_failure: Vec::new(),
        };
        it.close(program);
        it.to_return = program
            .functions
            .iter()
            .map(|f| it.leading(f, true))
            .collect();
        it.to_failure = program
            .functions
            .iter()
            .map(|f| it.leading(f, false))
            .collect();
        let wanted = it.wanted(program);
        for (leads, wanted) in it.to_return.iter_mut().zip(wanted) {
            leads.iter_mut().for_each(|l| *l &= wanted);
        }
        it
    }

    fn close(&mut self, program: &Program) {
        let mut changed = true;
        while changed {
            changed = false;
            let count = program.functions.len();
            for i in (0..count).chain((0..count).rev()) {
                let function = &program.functions[i];
                for callee in function.callees() {
                    let more: Vec<VarId> = self.modifies[callee.index()]
                        .difference(&self.modifies[i])
                        .copied()
                        .collect();
                    changed |= !more.is_empty();
                    self.modifies[i].extend(more);
                }
                for (to_return, fact) in [(true, self.returns[i]), (false, self.fails[i])] {
                    if !fact && self.leading(function, to_return)[Function::ENTRY.index()] {
                        changed = true;
                        let facts = if to_return {
                            &mut self.returns
                        } else {
                            &mut self.fails
                        };
                        facts[i] = true;
                    }
                }
            }
        }
    }

    /// The functions after whose return a failure may follow, in a caller or further out.
    fn wanted(&self, program: &Program) -> Vec<bool> {
        let mut wanted = vec![false; program.functions.len()];
        let mut work: Vec<usize> = (0..program.functions.len()).collect();
        while let Some(i) = work.pop() {
            for block in &program.functions[i].blocks {
                let End::Call { callee, next, .. } = block.end else {
                    continue;
                };
                let follows = self.to_failure[i][next.index()]
                    || (wanted[i] && self.to_return[i][next.index()]);
                if follows && !std::mem::replace(&mut wanted[callee.index()], true) {
                    work.push(callee.index());
                }
            }
        }
        wanted
    }

    /// Which blocks lead to the end of the function, or to a failure.
    fn leading(&self, function: &Function, to_return: bool) -> Vec<bool> {
        let is_goal = |b: &Block| match b.end {
            End::Return => to_return,
            End::Error => !to_return,
            End::Call { callee, .. } => !to_return && self.fails[callee.index()],
            _ => false,
        };
        let passes = |b: &Block| match b.end {
            End::Call { callee, .. } => self.returns[callee.index()],
            _ => true,
        };
        let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
        for (i, block) in function
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, b)| passes(b))
        {
            for next in block.successors() {
                before[next.index()].push(BlockId(i as u32));
            }
        }
        let mut leading: Vec<bool> = function.blocks.iter().map(is_goal).collect();
        let mut stack: Vec<usize> = (0..leading.len()).filter(|i| leading[*i]).collect();
        while let Some(i) = stack.pop() {
            for &previous in &before[i] {
                if !std::mem::replace(&mut leading[previous.index()], true) {
                    stack.push(previous.index());
                }
            }
        }
        leading
    }
}

fn own(program: &Program, function: &Function) -> BTreeSet<VarId> {
    let ops = function.blocks.iter().flat_map(|b| &b.ops);
    let assigned = ops.filter_map(|op| match op.kind {
        OpKind::Assign(var, _) | OpKind::Havoc(var, _) => Some(var),
        _ => None,
    });
    let results = function.blocks.iter().filter_map(|b| match b.end {
        End::Call { result, .. } => result,
        _ => None,
    });
    assigned
        .chain(results)
        .filter(|v| program.var(*v).global)
        .collect()
}
