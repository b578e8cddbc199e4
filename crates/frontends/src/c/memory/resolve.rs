//! The specialisation, block by block.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use suppose_number::Int;
use suppose_source::Span;

use super::live::{self, Vars};
use super::state::{Holder, Instance, Object, Sel, Stack, State, Target};
use super::{Resolved, calls, graph};
use crate::c::Claim;
use crate::c::ir::{
    Block, BlockId, End, Expr, ExprKind, FnId, Function, LoopText, Memory, Op, OpKind, Program,
    VarId,
};
use crate::c::passes::effects::Effects;
use crate::c::run::Hidden;
use crate::c::types::{BinaryOp, IntType, Semantics};

/// So often a loop is unrolled for the numbers that are known in it.
const TURNS: usize = 110;
/// So many sets of numbers may be known at another place.
const VARIANTS: usize = 40;
/// How many blocks the resolved program may have.
const BLOCKS: usize = 6_000;
/// How many operations are made in all attempts.
const WORK: usize = 400_000;
/// The most scalars of an object that are variables each.
pub(super) const SCALARS: u64 = 1_000;

/// What a variable of the resolved program is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Name {
    Local(VarId, usize),
    Slot(Instance, Vec<Sel>),
    /// An index of a pointer.
    Index(Holder, usize),
    /// An index of a cell: which cell, which dimension.
    Chosen(Instance, usize, usize),
    /// The value of a cell.
    Cell(Instance, usize, Vec<u32>),
    /// Was the last read but so many that of another element?
    Missed(Instance, usize),
    /// What was read or written last.
    Recent(Instance, IntType),
    /// Any value.
    Any(IntType),
    Units(Instance),
    Count(Instance),
    Scratch(IntType, usize),
}

/// What an attempt found out for the next one.
#[derive(Default)]
pub(super) struct Marks {
    /// Numbers that are not kept at a place.
    general: BTreeMap<(FnId, BlockId), BTreeSet<VarId>>,
    /// Sites whose objects are represented by so many elements.
    cells: BTreeMap<u32, usize>,
    /// Are there such objects? Then every read asks for a value, so that a run can be followed.
    any_cells: bool,
}

/// The attempt is given up for another one.
pub(super) struct Again;

pub(super) type Step<T> = Result<T, Again>;

/// What follows an operation.
pub(super) enum Flow {
    On,
    /// The block has ended.
    Over,
}

pub(super) struct Work {
    block: BlockId,
    state: State,
    at: Site,
    op: usize,
}

/// A place of the program.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Site {
    pub(super) stack: Stack,
    pub(super) function: FnId,
    pub(super) block: BlockId,
}

pub(super) struct Resolver<'a> {
    pub(super) from: &'a Program,
    pub(super) semantics: Semantics,
    pub(super) claim: Claim,
    pub(super) out: Program,
    /// Functions that stay as they are.
    pub(super) kept: Vec<bool>,
    pub(super) effects: Effects,
    pub(super) live: Vec<Vec<Vars>>,
    pub(super) joins: Vec<Vec<bool>>,
    pub(super) heads: Vec<Vec<bool>>,
    pub(super) names: BTreeMap<Name, VarId>,
    /// Local variables of the program, with the depth of their call.
    pub(super) locals: BTreeMap<VarId, (VarId, usize)>,
    pub(super) slots: BTreeMap<VarId, Instance>,
    pub(super) marks: Marks,
    pub(super) blocks: Vec<Block>,
    pub(super) loops: Vec<LoopText>,
    pub(super) current: BlockId,
    pub(super) known: FxHashMap<(Site, State), BlockId>,
    pub(super) variants: FxHashMap<(Site, State), Vec<BTreeMap<VarId, Int>>>,
    pub(super) queue: Vec<Work>,
    pub(super) reasons: Vec<(String, Span)>,
    /// The objects with cells that were read, with how many reads count.
    pub(super) read: BTreeMap<Instance, usize>,
    pub(super) work: usize,
    /// No attempt follows: what is too much is marked.
    pub(super) last: bool,
}

pub(super) fn resolve(program: &Program, semantics: Semantics, claim: Claim) -> Resolved {
    let effects = Effects::of(program);
    let mut it = Resolver {
        from: program,
        semantics,
        claim,
        out: program.clone(),
        kept: calls::kept(program),
        effects,
        live: program.functions.iter().map(live::live).collect(),
        joins: program.functions.iter().map(graph::joins).collect(),
        heads: program.functions.iter().map(graph::heads).collect(),
        names: BTreeMap::new(),
        locals: BTreeMap::new(),
        slots: BTreeMap::new(),
        marks: Marks::default(),
        blocks: Vec::new(),
        loops: Vec::new(),
        current: BlockId(0),
        known: FxHashMap::default(),
        variants: FxHashMap::default(),
        queue: Vec::new(),
        reasons: Vec::new(),
        read: BTreeMap::new(),
        work: 0,
        last: false,
    };
    // Every attempt but the last marks something new, and work is bounded.
    while it.attempt().is_err() {}
    it.finish()
}

impl Resolver<'_> {
    fn attempt(&mut self) -> Step<()> {
        self.last |= self.work > WORK;
        self.blocks.clear();
        self.loops.clear();
        self.known.clear();
        self.variants.clear();
        self.queue.clear();
        self.reasons.clear();
        self.read.clear();
        let root = self.from.root();
        let site = Site {
            stack: Vec::new(),
            function: root,
            block: Function::ENTRY,
        };
        let block = self.new_block(self.from.function(root).span);
        self.queue.push(Work {
            block,
            state: State::default(),
            at: site,
            op: 0,
        });
        while let Some(work) = self.queue.pop() {
            self.block(work)?;
        }
        Ok(())
    }

    fn finish(self) -> Resolved {
        let mut program = self.out;
        program.keeps_inputs = true;
        let root = program.root;
        for (i, function) in program.functions.iter_mut().enumerate() {
            if i != root && !self.kept[i] {
                // Put in place wherever it is called; its name is still shown.
                let span = function.span;
                function.blocks = vec![Block {
                    ops: Vec::new(),
                    end: End::Halt,
                    span,
                }];
                function.loops.clear();
            }
        }
        let function = &mut program.functions[root];
        function.blocks = self.blocks;
        // Nothing was read yet, also of objects that a path never has.
        let span = function.span;
        let mut ops = Vec::new();
        for (name, var) in &self.names {
            if let Name::Missed(..) = name {
                let no = Expr::constant(Int::ZERO, IntType::Bool, span);
                let kind = OpKind::Assign(*var, no);
                ops.push(Op { kind, span });
            }
        }
        ops.append(&mut function.blocks[0].ops);
        function.blocks[0].ops = ops;
        function.loops = self.loops;
        function.params.clear();
        Resolved {
            program,
            reasons: self.reasons,
        }
    }

    /// Says that the program does more than what is written.
    pub(super) fn approximate(&mut self, why: &str, span: Span) {
        if !self.reasons.iter().any(|(_, known)| *known == span) {
            self.reasons.push((why.to_owned(), span));
        }
    }

    pub(super) fn named(&mut self, name: Name, ty: IntType, shown: &str, hidden: bool) -> VarId {
        if let Some(&var) = self.names.get(&name) {
            return var;
        }
        let var = self.out.add_var(shown, ty, false, hidden);
        if let Name::Slot(instance, _) | Name::Cell(instance, ..) = &name {
            self.slots.insert(var, *instance);
        }
        self.names.insert(name, var);
        var
    }

    /// The variable of the resolved program for one of a call at some depth.
    pub(super) fn var(&mut self, var: VarId, depth: usize) -> VarId {
        let of = self.from.var(var);
        if of.global {
            return var;
        }
        let (ty, shown, hidden) = (of.ty, of.name.clone(), of.hidden || of.pointer);
        let new = self.named(Name::Local(var, depth), ty, &shown, hidden);
        self.locals.insert(new, (var, depth));
        new
    }

    pub(super) fn new_block(&mut self, span: Span) -> BlockId {
        self.blocks.push(Block {
            ops: Vec::new(),
            end: End::Halt,
            span,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub(super) fn emit(&mut self, kind: OpKind, span: Span) {
        self.blocks[self.current.index()]
            .ops
            .push(Op { kind, span });
    }

    pub(super) fn end(&mut self, end: End, span: Span) {
        let block = &mut self.blocks[self.current.index()];
        block.end = end;
        block.span = span;
    }

    /// Assigns, and remembers the number if it is known.
    pub(super) fn assign(&mut self, state: &mut State, var: VarId, value: Expr, span: Span) {
        let ty = self.out.var(var).ty;
        let value = self.converted(value, ty);
        state.assigned(var);
        match &value.kind {
            ExprKind::Const(n) => {
                state.numbers.insert(var, n.clone());
            }
            _ => {
                state.numbers.remove(&var);
            }
        }
        self.emit(OpKind::Assign(var, value), span);
    }

    pub(super) fn havoc(
        &mut self,
        state: &mut State,
        var: VarId,
        name: Option<String>,
        span: Span,
    ) {
        state.assigned(var);
        state.numbers.remove(&var);
        self.emit(OpKind::Havoc(var, name), span);
    }

    pub(super) fn converted(&self, value: Expr, ty: IntType) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = value.span;
        match &value.kind {
            ExprKind::Const(n) => Expr::constant(self.semantics.convert(ty, n), ty, span),
            _ => Expr::new(ExprKind::Convert(Box::new(value)), ty, span),
        }
    }

    /// An expression in terms of the resolved program, with what is known put in.
    pub(super) fn expr(&mut self, state: &State, expr: &Expr, depth: usize) -> Expr {
        let span = expr.span;
        let truth = |t: bool| Expr::constant(Int::from(i32::from(t)), expr.ty, span);
        let known = |e: &Expr| match &e.kind {
            ExprKind::Const(n) => Some(!n.is_zero()),
            _ => None,
        };
        let kind = match &expr.kind {
            ExprKind::Const(_) => return expr.clone(),
            ExprKind::Var(var) => {
                let var = self.var(*var, depth);
                match state.numbers.get(&var) {
                    Some(n) => ExprKind::Const(n.clone()),
                    None => ExprKind::Var(var),
                }
            }
            ExprKind::Convert(a) => {
                let a = self.expr(state, a, depth);
                return self.converted(a, expr.ty);
            }
            ExprKind::Not(a) => {
                let a = self.expr(state, a, depth);
                match known(&a) {
                    Some(t) => return truth(!t),
                    None => ExprKind::Not(Box::new(a)),
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let is_and = matches!(expr.kind, ExprKind::And(..));
                let a = self.expr(state, a, depth);
                if known(&a) == Some(!is_and) {
                    return truth(!is_and);
                }
                let b = self.expr(state, b, depth);
                match (known(&a), known(&b)) {
                    (Some(_), Some(t)) => return truth(t),
                    _ if is_and => ExprKind::And(Box::new(a), Box::new(b)),
                    _ => ExprKind::Or(Box::new(a), Box::new(b)),
                }
            }
            ExprKind::Ite(c, a, b) => {
                let c = self.expr(state, c, depth);
                match known(&c) {
                    Some(true) => return self.expr(state, a, depth),
                    Some(false) => return self.expr(state, b, depth),
                    None => {
                        let a = self.expr(state, a, depth);
                        let b = self.expr(state, b, depth);
                        ExprKind::Ite(Box::new(c), Box::new(a), Box::new(b))
                    }
                }
            }
            ExprKind::Binary(op, a, b) | ExprKind::Fits(op, a, b) => {
                let a = self.expr(state, a, depth);
                let b = self.expr(state, b, depth);
                if matches!(expr.kind, ExprKind::Fits(..)) {
                    ExprKind::Fits(*op, Box::new(a), Box::new(b))
                } else {
                    return self.binary(*op, a, b, expr.ty, span);
                }
            }
        };
        Expr::new(kind, expr.ty, span)
    }

    pub(super) fn binary(&self, op: BinaryOp, a: Expr, b: Expr, ty: IntType, span: Span) -> Expr {
        if let (ExprKind::Const(m), ExprKind::Const(n)) = (&a.kind, &b.kind)
            && let Some(value) = self.semantics.apply(op, a.ty, m, n)
        {
            return Expr::constant(value, ty, span);
        }
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// Where the run ends because C does not say what follows, or as a violation of a claim about that.
    pub(super) fn undefined(&mut self, claim: Claim, span: Span) {
        match claim == self.claim {
            true => self.error(span),
            false => self.end(End::Halt, span),
        }
    }

    /// A violation, if the values that were read last from large arrays are those of cells.
    pub(super) fn error(&mut self, span: Span) {
        let mut guards = Vec::new();
        for (instance, count) in self.read.clone() {
            for at in 0..count {
                guards.push(self.missed(instance, at));
            }
        }
        for var in guards {
            let (bad, good) = (self.new_block(span), self.new_block(span));
            let condition = Expr::new(ExprKind::Var(var), IntType::Bool, span);
            self.end(End::Branch(condition, bad, good), span);
            self.current = good;
        }
        self.end(End::Error, span);
    }

    pub(super) fn missed(&mut self, instance: Instance, at: usize) -> VarId {
        self.named(Name::Missed(instance, at), IntType::Bool, "missed", true)
    }

    /// The block ends at something that is not supported: if it can be reached, there is no verdict.
    pub(super) fn refused(&mut self, what: &str, span: Span) -> Flow {
        self.approximate(what, span);
        if self.claim != Claim::NoOverflow {
            self.end(End::Error, span);
            return Flow::Over;
        }
        // Violations of assertions are ends for this claim; this is a violation of its own kind.
        let (_, high) = self.semantics.range(IntType::Int);
        let most = Expr::constant(high, IntType::Int, span);
        let one = Expr::constant(Int::ONE, IntType::Int, span);
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(most), Box::new(one));
        let var = self.named(Name::Scratch(IntType::Int, 0), IntType::Int, "value", true);
        self.emit(
            OpKind::Assign(var, Expr::new(sum, IntType::Int, span)),
            span,
        );
        self.end(End::Halt, span);
        Flow::Over
    }

    /// So many elements represent the objects of a site from now on.
    pub(super) fn mark_cells(&mut self, site: u32, count: usize) -> Step<()> {
        let known = self.marks.cells.get(&site).copied().unwrap_or(0);
        if self.last || known >= count {
            return Ok(());
        }
        self.marks.cells.insert(site, count);
        Err(Again)
    }

    /// There are objects of which only some elements are represented.
    pub(super) fn with_cells(&mut self) -> Step<()> {
        match std::mem::replace(&mut self.marks.any_cells, true) {
            true => Ok(()),
            false => Err(Again),
        }
    }

    /// Asks for what is read from memory.
    pub(super) fn asked(&mut self, state: &mut State, ty: IntType, span: Span) -> Option<VarId> {
        if !self.marks.any_cells {
            return None;
        }
        let any = self.named(Name::Any(ty), ty, "value", true);
        self.havoc(state, any, Some(Hidden::Load.name()), span);
        Some(any)
    }

    pub(super) fn cells(&self, site: u32) -> usize {
        self.marks.cells.get(&site).copied().unwrap_or(0)
    }

    /// The block for a place with what is known there.
    pub(super) fn reach(&mut self, mut state: State, at: Site, span: Span) -> Step<BlockId> {
        let (function, block) = (at.function, at.block);
        self.collect(&mut state, &at);
        if self.joins[function.index()][block.index()] {
            state.recent.clear();
            if let Some(general) = self.marks.general.get(&(function, block)) {
                state.numbers.retain(|v, _| !general.contains(v));
            }
        }
        let key = (at, state);
        if let Some(&found) = self.known.get(&key) {
            return Ok(found);
        }
        let (at, state) = key;
        if self.joins[function.index()][block.index()] {
            self.count(&at, &state)?;
        }
        let new = self.new_block(span);
        if self.heads[function.index()][block.index()] {
            self.loop_text(&at, new);
        }
        self.known.insert((at.clone(), state.clone()), new);
        let (block, op) = (new, 0);
        self.queue.push(Work {
            block,
            state,
            at,
            op,
        });
        Ok(new)
    }

    fn loop_text(&mut self, at: &Site, head: BlockId) {
        let texts = &self.from.function(at.function).loops;
        let Some(text) = texts.iter().find(|l| l.head == at.block).cloned() else {
            return;
        };
        let depth = at.stack.len();
        let visible = text.visible.iter().map(|v| self.var(*v, depth)).collect();
        self.loops.push(LoopText {
            head,
            visible,
            ..text
        });
    }

    /// Too many sets of numbers at a place: those that differ are not kept there.
    fn count(&mut self, at: &Site, state: &State) -> Step<()> {
        let key = (at.clone(), state.shape());
        let sets = self.variants.entry(key).or_default();
        sets.push(state.numbers.clone());
        let most = match self.heads[at.function.index()][at.block.index()] {
            true => TURNS,
            false => VARIANTS,
        };
        if sets.len() <= most || self.last {
            return Ok(());
        }
        let mut differ = BTreeSet::new();
        for set in sets.iter() {
            for (var, n) in set {
                if sets.iter().any(|other| other.get(var) != Some(n)) {
                    differ.insert(*var);
                }
            }
        }
        let place = (at.function, at.block);
        self.marks.general.entry(place).or_default().extend(differ);
        Err(Again)
    }

    fn collect(&mut self, state: &mut State, at: &Site) {
        let depth = at.stack.len();
        let lives = |var: VarId| match self.locals.get(&var) {
            Some((of, level)) if *level == depth => {
                self.live[at.function.index()][at.block.index()].contains(of)
            }
            Some((of, level)) => at.stack.get(*level).is_some_and(|(function, call)| {
                let end = &self.from.function(*function).block(*call).end;
                match end {
                    End::Call { next, result, .. } | End::CallPointer { next, result, .. } => {
                        Some(*of) != *result
                            && self.live[function.index()][next.index()].contains(of)
                    }
                    _ => false,
                }
            }),
            None => true,
        };
        let objects = self.from.objects.len() as u32;
        let wanted = |(site, _): Instance, object: &Object| site < objects && !object.over;
        state.collect(lives, wanted, &self.slots);
    }

    fn block(&mut self, work: Work) -> Step<()> {
        let Work {
            block,
            mut state,
            at,
            op,
        } = work;
        self.current = block;
        let from = self.from;
        let body = from.function(at.function).block(at.block);
        if self.blocks.len() > BLOCKS || (self.last && self.work > 2 * WORK) {
            return self.too_much(body.span);
        }
        for (i, op) in body.ops.iter().enumerate().skip(op) {
            self.work += 1;
            if let Flow::Over = self.op(&mut state, &at, op, i)? {
                return Ok(());
            }
        }
        self.work += 1;
        self.block_end(state, at, body)
    }

    /// The first time it is all done again without numbers that differ anywhere.
    fn too_much(&mut self, span: Span) -> Step<()> {
        if !self.last {
            self.work = WORK;
            self.last = true;
            let variants = std::mem::take(&mut self.variants);
            // Sets are joined, so the order does not matter.
            #[allow(clippy::iter_over_hash_type)]
            for ((at, _), sets) in variants {
                let (Some(first), place) = (sets.first(), (at.function, at.block)) else {
                    continue;
                };
                let differ = |v: &VarId| sets.iter().any(|s| s.get(v) != first.get(v));
                let vars = sets.iter().flat_map(|s| s.keys().copied()).filter(differ);
                let vars: Vec<VarId> = vars.collect();
                self.marks.general.entry(place).or_default().extend(vars);
            }
            return Err(Again);
        }
        self.refused("memory has too many shapes here", span);
        Ok(())
    }

    fn op(&mut self, state: &mut State, at: &Site, op: &Op, number: usize) -> Step<Flow> {
        let depth = at.stack.len();
        let span = op.span;
        match &op.kind {
            OpKind::Assign(var, value) => {
                let value = self.expr(state, value, depth);
                let var = self.var(*var, depth);
                self.assign(state, var, value, span);
                Ok(Flow::On)
            }
            OpKind::Havoc(var, name) => {
                let var = self.var(*var, depth);
                self.havoc(state, var, name.clone(), span);
                Ok(Flow::On)
            }
            OpKind::Enter(..) | OpKind::Leave => Ok(Flow::On),
            OpKind::Memory(op) => self.memory(state, at, op, span, number),
        }
    }

    /// Goes on after an operation, in a block of its own, with what is known there.
    pub(super) fn fork(&mut self, block: BlockId, state: State, at: &Site, number: usize) {
        self.queue.push(Work {
            block,
            state,
            at: at.clone(),
            op: number + 1,
        });
    }

    fn block_end(&mut self, mut state: State, at: Site, body: &Block) -> Step<()> {
        let span = body.span;
        let depth = at.stack.len();
        let current = self.current;
        let to = |block: BlockId| Site {
            block,
            ..at.clone()
        };
        match &body.end {
            End::Goto(next) => {
                let next = self.reach(state, to(*next), span)?;
                self.current = current;
                self.end(End::Goto(next), span);
            }
            End::Branch(condition, yes, no) => {
                let condition = self.expr(&state, condition, depth);
                if let ExprKind::Const(n) = &condition.kind {
                    let next = if n.is_zero() { *no } else { *yes };
                    let next = self.reach(state, to(next), span)?;
                    self.end(End::Goto(next), span);
                    return Ok(());
                }
                let yes = self.reach(state.clone(), to(*yes), span)?;
                let no = self.reach(state, to(*no), span)?;
                self.end(End::Branch(condition, yes, no), span);
            }
            End::Switch(value, cases, default) => {
                let value = self.expr(&state, value, depth);
                if let ExprKind::Const(n) = &value.kind {
                    let case = cases.iter().find(|(m, _)| m == n);
                    let next = case.map_or(*default, |(_, b)| *b);
                    let next = self.reach(state, to(next), span)?;
                    self.end(End::Goto(next), span);
                    return Ok(());
                }
                let mut found = Vec::new();
                for (n, block) in cases {
                    let block = self.reach(state.clone(), to(*block), span)?;
                    found.push((n.clone(), block));
                }
                let default = self.reach(state, to(*default), span)?;
                self.end(End::Switch(value, found, default), span);
            }
            End::Call {
                callee,
                args,
                result,
                next,
            } => self.call(state, at.clone(), *callee, args, (*result, *next), span)?,
            End::CallPointer {
                callee,
                args,
                result,
                next,
            } => {
                let holder = Holder::Var(self.var(*callee, depth));
                match state.target(&holder) {
                    Target::Function(callee) => {
                        let callee = FnId(callee);
                        self.call(state, at.clone(), callee, args, (*result, *next), span)?;
                    }
                    Target::Null => self.undefined(Claim::ValidDeref, span),
                    _ => {
                        self.refused("a call of an unknown function", span);
                    }
                }
            }
            End::Return => self.come_back(&mut state, at, span)?,
            End::Halt => self.end(End::Halt, span),
            End::Error => match self.claim {
                Claim::Assertions | Claim::NoOverflow => self.error(span),
                _ => self.end(End::Halt, span),
            },
        }
        Ok(())
    }

    /// The value of a variable of the resolved program.
    pub(super) fn read(&self, state: &State, var: VarId, span: Span) -> Expr {
        let kind = match state.numbers.get(&var) {
            Some(n) => ExprKind::Const(n.clone()),
            None => ExprKind::Var(var),
        };
        Expr::new(kind, self.out.var(var).ty, span)
    }

    pub(super) fn memory(
        &mut self,
        state: &mut State,
        at: &Site,
        op: &Memory,
        span: Span,
        number: usize,
    ) -> Step<Flow> {
        let depth = at.stack.len();
        match op {
            Memory::Load(to, place) => self.load(state, at, *to, place, span, number),
            Memory::Store(place, value) => self.store(state, at, place, value, span, number),
            Memory::Point(to, pointer) => self.point(state, *to, pointer, depth, span),
            Memory::Compare(to, op, a, b) => self.compare(state, *to, *op, (a, b), depth, span),
            Memory::Difference(to, a, b) => self.difference(state, *to, (a, b), depth, span),
            Memory::Allocate {
                to,
                bytes,
                contents,
            } => {
                let site = self.heap_site(at, number);
                self.allocate(state, (*to, site), bytes, *contents, depth, span);
                Ok(Flow::On)
            }
            Memory::Retype(var, ty, size) => {
                let var = self.var(*var, depth);
                self.retype(state, var, *ty, *size, span)
            }
            Memory::Free(pointer) => self.free(state, pointer, depth, span),
            Memory::Declare(id, contents) => {
                self.declare(state, *id, depth, *contents, span);
                Ok(Flow::On)
            }
            Memory::Refused(what) => Ok(self.refused(what, span)),
        }
    }
}
