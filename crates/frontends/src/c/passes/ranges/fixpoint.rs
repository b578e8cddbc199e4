//! The least solution, nearly: upwards with widening, then a few steps down again.

use suppose_number::Int;

use super::Known;
use super::domain::{Domain, Env};
use super::interval::Interval;
use crate::c::ir::{BlockId, End, Expr, ExprKind, FnId, Function, OpKind, Program, VarId};
use crate::c::passes::effects::Effects;
use crate::c::passes::liveness::Liveness;
use crate::c::passes::order::postorder;
use crate::c::types::IntType;

/// So often what is known of a place may change before it is widened.
const PATIENCE: usize = 3;
/// How many times it is computed again from above.
const DOWN: usize = 3;

struct Solver<'a> {
    domain: Domain<'a>,
    liveness: &'a Liveness,
    effects: &'a Effects,
    /// Numbers at which widening stops, in order.
    steps: Vec<Int>,
    entries: Vec<Option<Env>>,
    exits: Vec<Option<Env>>,
    /// The number of updates, for widening.
    entered: Vec<usize>,
    left: Vec<usize>,
    /// The callers of a function.
    callers: Vec<Vec<FnId>>,
    dirty: Vec<bool>,
}

pub(super) fn solve(domain: Domain<'_>, liveness: &Liveness, effects: &Effects) -> Vec<Known> {
    let program = domain.program;
    let count = program.functions.len();
    let mut callers = vec![Vec::new(); count];
    for (i, function) in program.functions.iter().enumerate() {
        for callee in function.callees() {
            callers[callee.index()].push(FnId(i as u32));
        }
    }
    let mut it = Solver {
        domain,
        liveness,
        effects,
        steps: thresholds(domain),
        entries: vec![None; count],
        exits: vec![None; count],
        entered: vec![0; count],
        left: vec![0; count],
        callers,
        dirty: vec![false; count],
    };
    it.entries[program.root().index()] = Some(Env::new());
    it.dirty[program.root().index()] = true;
    let mut known = vec![Known::default(); count];
    while let Some(next) = it.dirty.iter().position(|d| *d) {
        it.dirty[next] = false;
        known[next].at = it.function(FnId(next as u32));
    }
    for (known, exit) in known.iter_mut().zip(it.exits) {
        known.exit = exit;
    }
    known
}

/// The constants of the program, their neighbours, and the ends of all types.
fn thresholds(domain: Domain<'_>) -> Vec<Int> {
    let mut found = Vec::new();
    for ty in IntType::ALL {
        let (low, high) = domain.semantics.range(ty);
        found.extend([low, high]);
    }
    constants(domain.program, &mut |n| {
        found.extend([n - &Int::ONE, n.clone(), n + &Int::ONE]);
    });
    found.sort_unstable();
    found.dedup();
    found
}

fn constants(program: &Program, each: &mut dyn FnMut(&Int)) {
    fn of(expr: &Expr, each: &mut dyn FnMut(&Int)) {
        if let ExprKind::Const(n) = &expr.kind {
            each(n);
        }
        for child in expr.children() {
            of(child, each);
        }
    }
    for block in program.functions.iter().flat_map(|f| &f.blocks) {
        for op in &block.ops {
            if let OpKind::Assign(_, value) = &op.kind {
                of(value, each);
            }
        }
        match &block.end {
            End::Branch(value, ..) => of(value, each),
            End::Switch(value, cases, _) => {
                of(value, each);
                cases.iter().for_each(|(n, _)| each(n));
            }
            End::Call { args, .. } => args.iter().for_each(|a| of(a, each)),
            _ => {}
        }
    }
}

impl Solver<'_> {
    /// What is known in a function, from what its callers give it. Tells callers and callees what is new.
    fn function(&mut self, id: FnId) -> Vec<Option<Env>> {
        let program = self.domain.program;
        let function = program.function(id);
        let mut order = postorder(function);
        order.reverse();
        let mut place = vec![usize::MAX; function.blocks.len()];
        for (i, block) in order.iter().enumerate() {
            place[block.index()] = i;
        }
        let mut at = self.upwards(id, &order, &place);
        for _ in 0..DOWN {
            let again = self.again(id, &order, &at);
            if again == at {
                break;
            }
            at = again;
        }
        let mut exit: Option<Env> = None;
        for &block in &order {
            let Some(env) = self.end_of(function, block, &at) else {
                continue;
            };
            match &function.block(block).end {
                End::Call { callee, args, .. } => self.give(*callee, args, &env),
                End::Return => {
                    let out = self.visible(function, &env);
                    exit = Some(match exit {
                        None => out,
                        Some(before) => self.domain.join(&before, &out),
                    });
                }
                _ => {}
            }
        }
        if let Some(exit) = exit {
            self.come_back(id, exit);
        }
        at
    }

    /// What a caller sees: globals and the result.
    fn visible(&self, function: &Function, env: &Env) -> Env {
        let program = self.domain.program;
        let mut out = env.clone();
        out.retain(|v, _| program.var(*v).global || function.result == Some(*v));
        out
    }

    fn come_back(&mut self, id: FnId, exit: Env) {
        let i = id.index();
        let new = match &self.exits[i] {
            None => exit,
            Some(before) => self.wider(before, &exit, self.left[i]),
        };
        if self.exits[i].as_ref() == Some(&new) {
            return;
        }
        self.left[i] += 1;
        self.exits[i] = Some(new);
        for caller in self.callers[i].clone() {
            self.dirty[caller.index()] = true;
        }
    }

    fn give(&mut self, callee: FnId, args: &[Expr], env: &Env) {
        let program = self.domain.program;
        let mut given = env.clone();
        given.retain(|v, _| program.var(*v).global);
        for (param, arg) in program.function(callee).params.iter().zip(args) {
            let value = self.domain.eval(env, arg);
            self.domain.set(&mut given, *param, value);
        }
        let i = callee.index();
        let new = match &self.entries[i] {
            None => given,
            Some(before) => self.wider(before, &given, self.entered[i]),
        };
        if self.entries[i].as_ref() == Some(&new) {
            return;
        }
        self.entered[i] += 1;
        self.entries[i] = Some(new);
        self.dirty[i] = true;
    }

    /// Both, and after some changes more than both.
    fn wider(&self, before: &Env, new: &Env, changes: usize) -> Env {
        let joined = self.domain.join(before, new);
        if changes < PATIENCE {
            return joined;
        }
        let mut wide = Env::new();
        for (var, interval) in &joined {
            // What is in the join is in both.
            let old = self.domain.get(before, *var);
            self.domain
                .set(&mut wide, *var, self.widened(&old, interval));
        }
        wide
    }

    fn widened(&self, old: &Interval, new: &Interval) -> Interval {
        let low = match new.0 < old.0 {
            true => {
                let at = self.steps.partition_point(|n| *n <= new.0);
                at.checked_sub(1)
                    .map_or(new.0.clone(), |i| self.steps[i].clone())
            }
            false => old.0.clone(),
        };
        let high = match new.1 > old.1 {
            true => {
                let at = self.steps.partition_point(|n| *n < new.1);
                self.steps.get(at).cloned().unwrap_or_else(|| new.1.clone())
            }
            false => old.1.clone(),
        };
        (low, high)
    }

    fn upwards(&self, id: FnId, order: &[BlockId], place: &[usize]) -> Vec<Option<Env>> {
        let function = self.domain.program.function(id);
        let mut at: Vec<Option<Env>> = vec![None; function.blocks.len()];
        let mut changes = vec![0usize; function.blocks.len()];
        at[Function::ENTRY.index()].clone_from(&self.entries[id.index()]);
        let mut todo: std::collections::BTreeSet<usize> = [0].into();
        while let Some(first) = todo.pop_first() {
            let block = order[first];
            for (next, env) in self.out(function, block, &at) {
                let env = self.pruned(id, next, env);
                let back = place[next.index()] <= first;
                let new = match &at[next.index()] {
                    None => env,
                    // Each cycle has an edge that goes back in this order.
                    Some(before) if back => self.wider(before, &env, changes[next.index()]),
                    Some(before) => self.domain.join(before, &env),
                };
                if at[next.index()].as_ref() != Some(&new) {
                    changes[next.index()] += usize::from(back);
                    at[next.index()] = Some(new);
                    todo.insert(place[next.index()]);
                }
            }
        }
        at
    }

    /// What follows from what is known, once more. What follows from too much is still true.
    fn again(&self, id: FnId, order: &[BlockId], at: &[Option<Env>]) -> Vec<Option<Env>> {
        let function = self.domain.program.function(id);
        let mut new: Vec<Option<Env>> = vec![None; at.len()];
        new[Function::ENTRY.index()].clone_from(&self.entries[id.index()]);
        for &block in order {
            for (next, env) in self.out(function, block, at) {
                let env = self.pruned(id, next, env);
                let slot = &mut new[next.index()];
                *slot = Some(match slot.take() {
                    None => env,
                    Some(before) => self.domain.join(&before, &env),
                });
            }
        }
        new
    }

    /// Only what matters later.
    fn pruned(&self, id: FnId, block: BlockId, mut env: Env) -> Env {
        let live = self.liveness.at(id, block);
        env.retain(|var, _| live.contains(var));
        env
    }

    fn end_of(&self, function: &Function, block: BlockId, at: &[Option<Env>]) -> Option<Env> {
        let mut env = at[block.index()].clone()?;
        for op in &function.block(block).ops {
            self.domain.step(&mut env, &op.kind);
        }
        Some(env)
    }

    /// What is known where a block leads.
    fn out(&self, function: &Function, block: BlockId, at: &[Option<Env>]) -> Vec<(BlockId, Env)> {
        let Some(env) = self.end_of(function, block, at) else {
            return Vec::new();
        };
        follow(
            self.domain,
            &function.block(block).end,
            env,
            |callee, result, env| self.after(callee, result, env),
        )
    }

    fn after(&self, callee: FnId, result: Option<VarId>, mut env: Env) -> Option<Env> {
        let program = self.domain.program;
        let exit = self.exits[callee.index()].as_ref()?;
        for var in self.effects.modifies(callee) {
            let value = self.domain.get(exit, *var);
            self.domain.set(&mut env, *var, value);
        }
        if let (Some(to), Some(from)) = (result, program.function(callee).result) {
            let value = self.domain.get(exit, from);
            self.domain.set(&mut env, to, value);
        }
        Some(env)
    }
}

/// Where the end of a block leads, with what is known there.
pub(super) fn follow(
    domain: Domain<'_>,
    end: &End,
    env: Env,
    after: impl Fn(FnId, Option<VarId>, Env) -> Option<Env>,
) -> Vec<(BlockId, Env)> {
    match end {
        End::Goto(next) => vec![(*next, env)],
        End::Branch(condition, yes, no) => {
            let mut all = Vec::new();
            for (holds, target) in [(true, yes), (false, no)] {
                let mut env = env.clone();
                if domain.assume(&mut env, condition, holds) {
                    all.push((*target, env));
                }
            }
            all
        }
        End::Switch(value, cases, default) => {
            let mut all = Vec::new();
            for (number, target) in cases {
                let mut env = env.clone();
                if domain.is(&mut env, value, number) {
                    all.push((*target, env));
                }
            }
            all.push((*default, env));
            all
        }
        End::Call {
            callee,
            result,
            next,
            ..
        } => {
            let env = after(*callee, *result, env);
            env.into_iter().map(|env| (*next, env)).collect()
        }
        End::Return | End::Halt | End::Error | End::CallPointer { .. } => Vec::new(),
    }
}
