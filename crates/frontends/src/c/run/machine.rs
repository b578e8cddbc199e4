//! The machine that runs graphs, step by step.

use rustc_hash::FxHashMap;
use suppose_model::chc::Derivation;
use suppose_number::Int;
use suppose_source::Span;

use super::record::{Stretch, find, inference};
use super::tree::{Call, CallTree, ExecutionStep, StepKind};
use super::{Hidden, RunResult, Source, Tables};
use crate::c::CProgram;
use crate::c::encode::{Route, Target};
use crate::c::ir::{BlockId, End, Expr, ExprKind, FnId, Function, OpKind, VarId};

/// An activation of a function.
struct Frame {
    function: FnId,
    /// The cut point where the current path segment began, and the values since.
    source: BlockId,
    stretch: Stretch,
    locals: FxHashMap<VarId, Int>,
    entry: FxHashMap<VarId, Int>,
    block: BlockId,
    /// Of a guided run: the inferences of this activation, and which one is at work.
    chain: Vec<usize>,
    link: usize,
    /// Its calls in the tree: itself, and what was put in place, innermost last.
    open: Vec<usize>,
}

/// What a call did that a derivation uses several times.
struct Done {
    /// Its number in the tree.
    call: usize,
    result: Option<Int>,
    /// The globals that it may change, as it left them.
    globals: Vec<(VarId, Int)>,
}

pub(super) struct Machine<'a> {
    program: &'a CProgram,
    tables: &'a Tables,
    source: Source<'a>,
    globals: FxHashMap<VarId, Int>,
    frames: Vec<Frame>,
    derivation: Derivation,
    /// The inferences that are there already: clause, values and premises.
    known: FxHashMap<(usize, Vec<Int>, Vec<usize>), usize>,
    /// Of a guided run: the calls that have come back, by their last inference.
    done: FxHashMap<usize, Done>,
    tree: CallTree,
    steps: usize,
    limit: usize,
    /// Is only the end of interest? Then nothing is written down on the way.
    light: bool,
}

/// What a step led to.
enum Next {
    On,
    Done(RunResult),
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a CProgram,
        tables: &'a Tables,
        source: Source<'a>,
        chain: Vec<usize>,
        limit: usize,
        light: bool,
    ) -> Self {
        let mut it = Machine {
            program,
            tables,
            source,
            globals: FxHashMap::default(),
            frames: Vec::new(),
            derivation: Derivation::default(),
            known: FxHashMap::default(),
            done: FxHashMap::default(),
            tree: CallTree::default(),
            steps: 0,
            limit,
            light,
        };
        let root = program.program.root();
        let span = program.program.function(root).span;
        it.enter(root, FxHashMap::default(), chain, span);
        it
    }

    pub(super) fn run(self) -> RunResult {
        self.run_counted().0
    }

    /// How it ended, and after how many steps.
    pub(super) fn run_counted(mut self) -> (RunResult, usize) {
        loop {
            self.steps += 1;
            if self.steps > self.limit {
                return (RunResult::Stopped, self.limit);
            }
            match self.block() {
                Some(Next::On) => {}
                Some(Next::Done(outcome)) => return (outcome, self.steps),
                None => return (RunResult::Stopped, self.steps),
            }
        }
    }

    fn enter(
        &mut self,
        function: FnId,
        locals: FxHashMap<VarId, Int>,
        chain: Vec<usize>,
        span: Span,
    ) {
        let mut entry = FxHashMap::default();
        let mut open = Vec::new();
        if !self.light {
            open.push(self.entered(function, &locals, span));
            entry.clone_from(&self.globals);
            entry.extend(locals.iter().map(|(v, n)| (*v, n.clone())));
        }
        self.frames.push(Frame {
            function,
            source: Function::ENTRY,
            stretch: Stretch::default(),
            locals,
            entry,
            block: Function::ENTRY,
            chain,
            link: 0,
            open,
        });
    }

    /// The new call in the tree.
    fn entered(&mut self, function: FnId, locals: &FxHashMap<VarId, Int>, span: Span) -> usize {
        let body = self.program.program.function(function);
        let arguments = body
            .params
            .iter()
            .filter_map(|p| {
                let value = locals.get(p)?.clone();
                Some((self.program.program.var(*p).name.clone(), value))
            })
            .collect();
        self.tree.calls.push(Call {
            function: body.name.clone(),
            span,
            arguments,
            ..Call::default()
        });
        self.tree.calls.len() - 1
    }

    fn frame(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    fn note(&mut self, span: Span, kind: StepKind) {
        let open = self.frames.last().and_then(|f| f.open.last().copied());
        if let Some(call) = open.and_then(|n| self.tree.calls.get_mut(n)) {
            call.steps.push(ExecutionStep { span, kind });
        }
    }

    fn get(&self, var: VarId) -> Int {
        let found = if self.program.program.var(var).global {
            self.globals.get(&var)
        } else {
            self.frames.last().and_then(|f| f.locals.get(&var))
        };
        found.cloned().unwrap_or(Int::ZERO)
    }

    fn set(&mut self, var: VarId, value: Int) {
        let variable = self.program.program.var(var);
        let (low, high) = self.program.semantics.range(variable.ty);
        self.tree.beyond_types |= value < low || value > high;
        if variable.global {
            self.globals.insert(var, value);
        } else if let Some(frame) = self.frame() {
            frame.locals.insert(var, value);
        }
    }

    /// The value of an expression in this state.
    fn eval(&self, expr: &Expr) -> Int {
        let semantics = self.program.semantics;
        let truth = |t: bool| Int::from(i32::from(t));
        match &expr.kind {
            ExprKind::Const(n) => n.clone(),
            ExprKind::Var(var) => self.get(*var),
            ExprKind::Convert(inner) => semantics.convert(expr.ty, &self.eval(inner)),
            ExprKind::Not(inner) => truth(self.eval(inner).is_zero()),
            ExprKind::And(a, b) => truth(!self.eval(a).is_zero() && !self.eval(b).is_zero()),
            ExprKind::Or(a, b) => truth(!self.eval(a).is_zero() || !self.eval(b).is_zero()),
            ExprKind::Ite(c, a, b) => {
                if self.eval(c).is_zero() {
                    self.eval(b)
                } else {
                    self.eval(a)
                }
            }
            ExprKind::Fits(op, a, b) => {
                truth(semantics.fits(*op, a.ty, &self.eval(a), &self.eval(b)))
            }
            // Operations that C leaves open are refused when clauses are made.
            ExprKind::Binary(op, a, b) => semantics
                .apply(*op, a.ty, &self.eval(a), &self.eval(b))
                .unwrap_or(Int::ZERO),
        }
    }

    /// Runs the block where the innermost activation is. None if there is nothing to continue with.
    fn block(&mut self) -> Option<Next> {
        let program = self.program;
        let (function, id) = self.frames.last().map(|f| (f.function, f.block))?;
        self.snapshot(function, id);
        let block = program.program.function(function).block(id);
        for (i, op) in block.ops.iter().enumerate() {
            self.op(&op.kind, op.span, id, i)?;
        }
        match &block.end {
            End::Goto(next) => self.go(*next),
            End::Branch(condition, yes, no) => {
                let truth = !self.eval(condition).is_zero();
                if !condition.is_guard() {
                    self.note(block.span, StepKind::Branch(truth));
                }
                self.go(if truth { *yes } else { *no })
            }
            End::Switch(value, cases, default) => {
                let value = self.eval(value);
                let case = cases.iter().find(|(n, _)| *n == value);
                self.go(case.map_or(*default, |(_, b)| *b))
            }
            End::Call { callee, args, .. } => self.call(*callee, args, block.span),
            End::Return => self.come_back(),
            End::Halt | End::CallPointer { .. } => Some(Next::Done(RunResult::Ended)),
            End::Error => {
                self.note(block.span, StepKind::Violation);
                Some(Next::Done(self.violated()))
            }
        }
    }

    /// Keeps the values that clauses need where a block starts.
    fn snapshot(&mut self, function: FnId, block: BlockId) {
        let vars = self.tables.at.get(&(function, block));
        let Some(vars) = vars.filter(|_| !self.light) else {
            return;
        };
        let values: Vec<(VarId, Int)> = vars.iter().map(|v| (*v, self.get(*v))).collect();
        if let Some(frame) = self.frame() {
            for (var, value) in values {
                frame.stretch.at.insert((block, var), value);
            }
        }
    }

    fn op(&mut self, kind: &OpKind, span: Span, block: BlockId, number: usize) -> Option<()> {
        match kind {
            OpKind::Assign(var, value) => {
                let value = self.eval(value);
                let variable = self.program.program.var(*var);
                if !variable.hidden && !self.light {
                    let variable = variable.name.clone();
                    let value = value.clone();
                    self.note(span, StepKind::Assign { variable, value });
                }
                self.set(*var, value);
            }
            OpKind::Havoc(var, function) => {
                let value = self.choose(function.as_deref(), *var, block, number)?;
                if self.light {
                    self.set(*var, value);
                    return Some(());
                }
                let variable = self.program.program.var(*var);
                let name = (!variable.hidden).then(|| variable.name.clone());
                let kind = StepKind::Input {
                    function: function.clone(),
                    variable: name,
                    value: value.clone(),
                };
                // What only the resolved program asks for is nobody's input.
                if function.as_deref().and_then(Hidden::parse).is_none() {
                    self.note(span, kind);
                }
                if let Some(frame) = self.frame() {
                    frame.stretch.havoc.insert((block, number), value.clone());
                }
                self.set(*var, value);
            }
            OpKind::Memory(_) => {}
            OpKind::Enter(..) | OpKind::Leave if self.light => {}
            OpKind::Enter(function, params) => self.open(*function, params, span),
            OpKind::Leave => {
                if let Some(frame) = self.frame() {
                    frame.open.pop();
                }
            }
        }
        Some(())
    }

    /// A call that was put in place.
    fn open(&mut self, function: FnId, params: &[VarId], span: Span) {
        let program = &self.program.program;
        let arguments = params
            .iter()
            .map(|p| (program.var(*p).name.clone(), self.get(*p)))
            .collect();
        let number = self.tree.calls.len();
        self.note(span, StepKind::Call(number));
        self.tree.calls.push(Call {
            function: program.function(function).name.clone(),
            span,
            arguments,
            ..Call::default()
        });
        if let Some(frame) = self.frame() {
            frame.open.push(number);
        }
    }

    fn choose(
        &mut self,
        function: Option<&str>,
        var: VarId,
        block: BlockId,
        op: usize,
    ) -> Option<Int> {
        let ty = self.program.program.var(var).ty;
        let value = match &mut self.source {
            Source::Free(choose) => choose(function, ty)?,
            Source::Guided(derivation) => {
                let frame = self.frames.last()?;
                let inference = *frame.chain.get(frame.link)?;
                self.program.chosen(derivation, inference, block, op)
            }
        };
        let (low, high) = self.program.semantics.arbitrary(ty);
        let inside = low.is_none_or(|n| value >= n) && high.is_none_or(|n| value <= n);
        if inside {
            return Some(value);
        }
        let (low, high) = self.program.semantics.range(ty);
        let width = &(&high - &low) + &Int::ONE;
        Some(&(&value - &low).div_floor(&width).1 + &low)
    }

    fn go(&mut self, next: BlockId) -> Option<Next> {
        let function = self.frames.last()?.function;
        let is_cut = self.program.encoded.cuts[function.index()].is_cut[next.index()];
        if is_cut && !self.light {
            self.snapshot(function, next);
            let number = self.infer(Target::Cut(next));
            let mut start = self.globals.clone();
            let frame = self.frame()?;
            let Some(number) = number else {
                return Some(Next::Done(RunResult::Ended));
            };
            start.extend(frame.locals.iter().map(|(v, n)| (*v, n.clone())));
            frame.source = next;
            frame.link += 1;
            frame.stretch = Stretch {
                start,
                premises: vec![number],
                ..Stretch::default()
            };
        }
        self.frame()?.block = next;
        Some(Next::On)
    }

    /// The inference for the current path segment, if a clause leads from it to the target.
    fn infer(&mut self, target: Target) -> Option<usize> {
        if self.light {
            return Some(0);
        }
        let frame = self.frames.last()?;
        let route = Route {
            function: frame.function,
            source: frame.source,
            calls: frame.stretch.calls.clone(),
            target,
        };
        let clause = find(&self.tables.routes, &route)?;
        if matches!(self.source, Source::Guided(_)) {
            return Some(0);
        }
        let (step, values) = inference(self.program, clause, &frame.entry, &frame.stretch);
        let key = (clause, values, step.premises.clone());
        // What was derived once can be used again.
        let next = self.derivation.steps.len();
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.derivation.steps.push(step);
        }
        Some(number)
    }

    fn call(&mut self, callee: FnId, args: &[Expr], span: Span) -> Option<Next> {
        let params = &self.program.program.function(callee).params;
        let locals: FxHashMap<VarId, Int> = params
            .iter()
            .zip(args)
            .map(|(param, arg)| (*param, self.eval(arg)))
            .collect();
        let chain = match &self.source {
            Source::Free(_) => Vec::new(),
            Source::Guided(derivation) => {
                let frame = self.frames.last()?;
                let inference = derivation.steps.get(*frame.chain.get(frame.link)?)?;
                let calls =
                    usize::from(frame.source != Function::ENTRY) + frame.stretch.calls.len();
                let premise = *inference.premises.get(calls)?;
                if self.done.contains_key(&premise) {
                    return self.again(premise, span);
                }
                self.program.chain(derivation, premise)?
            }
        };
        let number = self.tree.calls.len();
        if !self.light {
            self.note(span, StepKind::Call(number));
        }
        self.enter(callee, locals, chain, span);
        Some(Next::On)
    }

    /// A call that the derivation has used before does the same once more.
    fn again(&mut self, premise: usize, span: Span) -> Option<Next> {
        let done = self.done.get(&premise)?;
        let (call, result, globals) = (done.call, done.result.clone(), done.globals.clone());
        self.note(span, StepKind::Call(call));
        for (var, value) in globals {
            self.set(var, value);
        }
        let frame = self.frame()?;
        let (function, block) = (frame.function, frame.block);
        frame.stretch.calls.push(block);
        let body = self.program.program.function(function);
        let End::Call {
            result: to, next, ..
        } = body.block(block).end
        else {
            return None;
        };
        if let (Some(to), Some(value)) = (to, result) {
            self.set(to, value);
        }
        self.go(next)
    }

    fn come_back(&mut self) -> Option<Next> {
        let function = self.frames.last()?.function;
        let program = self.program;
        let body = program.program.function(function);
        self.snapshot(function, BlockId(body.blocks.len() as u32));
        if self.frames.len() == 1 {
            return Some(Next::Done(RunResult::Ended));
        }
        let result = body.result.map(|r| self.get(r));
        let Some(number) = self.infer(Target::Return) else {
            return Some(Next::Done(RunResult::Ended));
        };
        let done = self.frames.pop()?;
        if let (Some(&last), Some(&call)) = (done.chain.last(), done.open.first()) {
            let changed = program.effects.modifies(function).iter();
            let value = |v: &VarId| Some((*v, self.globals.get(v)?.clone()));
            let globals = changed.filter_map(value).collect();
            let result = result.clone();
            let it = Done {
                call,
                result,
                globals,
            };
            self.done.insert(last, it);
        }
        if let Some(call) = done.open.first().and_then(|n| self.tree.calls.get_mut(*n)) {
            call.result.clone_from(&result);
        }
        let caller = self.frames.last()?;
        let block = caller.block;
        let End::Call {
            result: to, next, ..
        } = program.program.function(caller.function).block(block).end
        else {
            return None;
        };
        if self.light {
            if let (Some(to), Some(value)) = (to, result) {
                self.set(to, value);
            }
            return self.go(next);
        }
        let mut after: Vec<(VarId, Int)> =
            self.globals.iter().map(|(v, n)| (*v, n.clone())).collect();
        after.sort_unstable_by_key(|(v, _)| *v);
        after.extend(body.result.zip(result.clone()));
        let frame = self.frame()?;
        for (var, value) in after {
            frame.stretch.after.insert((block, var), value);
        }
        frame.stretch.calls.push(block);
        frame.stretch.premises.push(number);
        if let (Some(to), Some(value)) = (to, result) {
            self.set(to, value);
        }
        self.go(next)
    }

    /// The failing inferences, from the innermost activation out.
    fn violated(&mut self) -> RunResult {
        if self.light {
            return RunResult::Violated {
                derivation: Derivation::default(),
                tree: CallTree::default(),
            };
        }
        let mut target = Target::Error;
        let mut inner: Option<usize> = None;
        while let Some(frame) = self.frames.last_mut() {
            frame.stretch.premises.extend(inner);
            let Some(number) = self.infer(target) else {
                return RunResult::Stopped;
            };
            inner = Some(number);
            self.frames.pop();
            if let Some(caller) = self.frames.last() {
                target = Target::Callee(caller.block);
            }
        }
        RunResult::Violated {
            derivation: std::mem::take(&mut self.derivation),
            tree: std::mem::take(&mut self.tree),
        }
    }
}
