//! Which variables matter where: for the result and for failures, across calls.
//!
//! A variable is live before an assignment only if what is assigned to is live after it, so counters
//! that are never read are never live.

use std::collections::BTreeSet;

use super::effects::Effects;
use crate::c::ir::{BlockId, End, Expr, FnId, Function, OpKind, Program, VarId};

pub(in crate::c) type Vars = BTreeSet<VarId>;

/// What of a function's interface is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::c) struct Interface {
    /// Parameters and globals on which what comes back depends.
    pub(in crate::c) for_return: Vars,
    /// Those on which it depends whether it fails.
    pub(in crate::c) for_failure: Vars,
    /// Globals that it may change and a caller examines.
    pub(in crate::c) outputs: Vars,
    /// Does a caller look at its result?
    pub(in crate::c) result: bool,
}

#[derive(Clone, Debug)]
pub(in crate::c) struct Liveness {
    pub(in crate::c) interfaces: Vec<Interface>,
    /// For each function and block the variables that are live where it starts.
    pub(in crate::c) live: Vec<Vec<Vars>>,
}

/// What is asked of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Return,
    Failure,
}

struct Analysis<'a> {
    program: &'a Program,
    effects: &'a Effects,
    interfaces: Vec<Interface>,
    changed: bool,
}

impl Liveness {
    pub(in crate::c) fn of(program: &Program, effects: &Effects) -> Liveness {
        let count = program.functions.len();
        let mut analysis = Analysis {
            program,
            effects,
            interfaces: vec![Interface::default(); count],
            changed: true,
        };
        let mut live = vec![Vec::new(); count];
        while analysis.changed {
            analysis.changed = false;
            // Once in the order of the text and once back: callers and callees are both soon done.
            for i in (0..count).chain((0..count).rev()) {
                live[i] = analysis.function(FnId(i as u32));
            }
        }
        Liveness {
            interfaces: analysis.interfaces,
            live,
        }
    }

    pub(in crate::c) fn interface(&self, function: FnId) -> &Interface {
        &self.interfaces[function.index()]
    }

    pub(in crate::c) fn at(&self, function: FnId, block: BlockId) -> &Vars {
        &self.live[function.index()][block.index()]
    }
}

impl Analysis<'_> {
    fn function(&mut self, id: FnId) -> Vec<Vars> {
        let mut both: Vec<Vars> = vec![Vars::new(); self.program.function(id).blocks.len()];
        for goal in [Goal::Return, Goal::Failure] {
            if goal == Goal::Return && id == self.program.root() {
                continue;
            }
            let live = self.solve(id, goal);
            let inputs = live[Function::ENTRY.index()].clone();
            let interface = &mut self.interfaces[id.index()];
            let known = match goal {
                Goal::Return => &mut interface.for_return,
                Goal::Failure => &mut interface.for_failure,
            };
            if *known != inputs {
                *known = inputs;
                self.changed = true;
            }
            for (all, some) in both.iter_mut().zip(live) {
                all.extend(some);
            }
        }
        both
    }

    fn solve(&mut self, id: FnId, goal: Goal) -> Vec<Vars> {
        let function = self.program.function(id);
        let leading = match goal {
            Goal::Return => &self.effects.to_return[id.index()],
            Goal::Failure => &self.effects.to_failure[id.index()],
        };
        let mut live = vec![Vars::new(); function.blocks.len()];
        let order = super::order::postorder(function);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order {
                if !leading[block.index()] {
                    continue;
                }
                let before = self.block(id, block, goal, &live);
                if before != live[block.index()] {
                    live[block.index()] = before;
                    changed = true;
                }
            }
        }
        live
    }

    fn block(&mut self, id: FnId, block: BlockId, goal: Goal, live: &[Vars]) -> Vars {
        let mut here = self.at_end(id, block, goal, live);
        for op in self.program.function(id).block(block).ops.iter().rev() {
            step_back(&op.kind, &mut here);
        }
        here
    }

    /// The variables that are live after the assignments of a block.
    fn at_end(&mut self, id: FnId, block: BlockId, goal: Goal, live: &[Vars]) -> Vars {
        let block = self.program.function(id).block(block);
        let mut here = Vars::new();
        let comes_back = match block.end {
            End::Call { callee, .. } => self.effects.returns[callee.index()],
            _ => true,
        };
        for next in block.successors().into_iter().filter(|_| comes_back) {
            here.extend(live[next.index()].iter().copied());
        }
        match &block.end {
            End::Branch(condition, ..) | End::Switch(condition, ..) => uses(condition, &mut here),
            End::Return if goal == Goal::Return => {
                let interface = &self.interfaces[id.index()];
                here.extend(interface.outputs.iter().copied());
                if interface.result {
                    here.extend(self.program.function(id).result);
                }
            }
            End::Call {
                callee,
                args,
                result,
                ..
            } => self.call(*callee, args, *result, &mut here),
            _ => {}
        }
        here
    }

    fn call(&mut self, callee: FnId, args: &[Expr], result: Option<VarId>, here: &mut Vars) {
        let modifies = self.effects.modifies(callee);
        let interface = &mut self.interfaces[callee.index()];
        let looked_at = result.is_some_and(|r| here.remove(&r));
        if looked_at && !interface.result {
            interface.result = true;
            self.changed = true;
        }
        for var in modifies {
            if here.remove(var) && interface.outputs.insert(*var) {
                self.changed = true;
            }
        }
        let inputs: Vars = interface
            .for_return
            .union(&interface.for_failure)
            .copied()
            .collect();
        let params = &self.program.function(callee).params;
        for var in inputs {
            match params.iter().position(|p| *p == var) {
                Some(n) => {
                    if let Some(arg) = args.get(n) {
                        uses(arg, here);
                    }
                }
                None => {
                    if self.program.var(var).global {
                        here.insert(var);
                    }
                }
            }
        }
    }
}

fn uses(expr: &Expr, live: &mut Vars) {
    expr.variables(&mut |var| {
        live.insert(var);
    });
}

/// Goes back over one operation; says whether it matters.
fn step_back(kind: &OpKind, live: &mut Vars) -> bool {
    match kind {
        OpKind::Assign(var, value) => {
            let matters = live.remove(var);
            if matters {
                uses(value, live);
            }
            matters
        }
        OpKind::Havoc(var, _) => live.remove(var),
        OpKind::Enter(..) | OpKind::Leave | OpKind::Memory(_) => true,
    }
}

/// Takes out assignments to what is not live, and blocks from which nothing follows.
pub(in crate::c) fn remove_dead(program: &mut Program, liveness: &Liveness, effects: &Effects) {
    let before = program.clone();
    let mut analysis = Analysis {
        program: &before,
        effects,
        interfaces: liveness.interfaces.clone(),
        changed: false,
    };
    for (i, function) in program.functions.iter_mut().enumerate() {
        let id = FnId(i as u32);
        let live = &liveness.live[i];
        for (b, block) in function.blocks.iter_mut().enumerate() {
            let to_return = effects.to_return[i][b] && id != before.root();
            if !to_return && !effects.to_failure[i][b] {
                block.ops.clear();
                block.end = End::Halt;
                continue;
            }
            let mut here = analysis.at_end(id, BlockId(b as u32), Goal::Failure, live);
            if to_return {
                here.extend(analysis.at_end(id, BlockId(b as u32), Goal::Return, live));
            }
            let mut kept: Vec<_> = std::mem::take(&mut block.ops)
                .into_iter()
                .rev()
                .filter(|op| {
                    let is_input = matches!(op.kind, OpKind::Havoc(_, Some(_)));
                    step_back(&op.kind, &mut here) || (is_input && before.keeps_inputs)
                })
                .collect();
            kept.reverse();
            block.ops = kept;
        }
    }
}
