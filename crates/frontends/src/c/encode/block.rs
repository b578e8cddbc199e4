//! All paths between cuts as one formula.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use suppose_model::chc::{Lin, Node, Pred, Sort, TermId, Terms, Var};
use suppose_source::Span;

use super::scratch::{Origin, Scratch, Val};
use super::{Arg, Encoder, Parts, Region, Result, Target, Work};
use crate::c::ir::{BlockId, End, Expr, FnId, OpKind, VarId};
use crate::c::passes::ranges::Interval;

/// Values of variables on a path.
pub(super) type Env = BTreeMap<VarId, Val>;

/// A path, or several that have met: what must be true, and the values of variables.
#[derive(Clone, Default)]
pub(super) struct Path {
    /// Sorted, without repetition.
    pub(super) conjuncts: Vec<TermId>,
    pub(super) env: Rc<Env>,
}

impl Path {
    pub(super) fn assume(&mut self, term: TermId) {
        if term == Terms::TRUE {
            return;
        }
        if let Err(at) = self.conjuncts.binary_search(&term) {
            self.conjuncts.insert(at, term);
        }
    }

    pub(super) fn set(&mut self, var: VarId, value: Val) {
        Rc::make_mut(&mut self.env).insert(var, value);
    }

    fn is_impossible(&self, terms: &Terms) -> bool {
        let refuted = |t: &TermId| match terms.node(*t) {
            Node::Not(inner) => self.conjuncts.binary_search(inner).is_ok(),
            _ => *t == Terms::FALSE,
        };
        self.conjuncts.iter().any(refuted)
    }
}

impl Encoder<'_> {
    /// Follows all paths up to the next cuts and calls.
    pub(super) fn region(
        &mut self,
        region: &mut Region<'_>,
        work: Work,
        queue: &mut VecDeque<Work>,
    ) -> Result<()> {
        let place = |b: BlockId| region.cuts.place[b.index()].unwrap_or(usize::MAX);
        let cuts = region.cuts;
        let mut coming: BTreeMap<usize, Vec<Path>> = BTreeMap::new();
        let mut heads: BTreeMap<usize, Vec<Path>> = BTreeMap::new();
        let (mut returns, mut errors) = (Vec::new(), Vec::new());
        coming.insert(place(work.block), vec![work.path.clone()]);
        let mut first = true;
        while let Some((at, paths)) = coming.pop_first() {
            let Some(&block) = cuts.blocks.get(at) else {
                continue;
            };
            let mut path = self.joined(region, block, paths);
            self.ops(region, block, &mut path)?;
            first = false;
            let body = self.program.function(region.function).block(block);
            if path.is_impossible(&region.scratch.terms) {
                continue;
            }
            match &body.end {
                End::Halt => {}
                End::Return => returns.push(path),
                End::Error => errors.push((body.span, path)),
                End::Call {
                    callee,
                    args,
                    result,
                    next,
                } => {
                    let call = Call {
                        block,
                        callee: *callee,
                        args,
                        result: *result,
                        next: *next,
                    };
                    self.call(region, &work, path, call, queue)?;
                }
                _ => {
                    for (target, path) in self.branches(region, block, path)? {
                        let leads = self.leads(region.function, target);
                        if !leads || path.is_impossible(&region.scratch.terms) {
                            continue;
                        }
                        let to = if cuts.is_cut[target.index()] {
                            &mut heads
                        } else {
                            &mut coming
                        };
                        to.entry(place(target)).or_default().push(path);
                    }
                }
            }
        }
        debug_assert!(!first);
        for (at, paths) in heads {
            self.emit_cut(region, &work, cuts.blocks[at], paths)?;
        }
        self.emit_return(region, &work, returns)?;
        self.emit_error(region, &work, errors)
    }

    fn leads(&self, function: FnId, block: BlockId) -> bool {
        let (i, b) = (function.index(), block.index());
        self.effects.to_failure[i][b]
            || (function != self.program.root() && self.effects.to_return[i][b])
    }

    /// One path for several: where values differ, a new variable.
    fn joined(&self, region: &mut Region<'_>, block: BlockId, paths: Vec<Path>) -> Path {
        let live: Vec<VarId> = self
            .liveness
            .at(region.function, block)
            .iter()
            .copied()
            .collect();
        let function = region.function;
        self.join(region, paths, &live, |v| {
            (Origin::At(block, v), self.ranges.at(function, block, v))
        })
    }

    fn join<'b>(
        &self,
        region: &mut Region<'_>,
        mut paths: Vec<Path>,
        live: &[VarId],
        origin: impl Fn(VarId) -> (Origin, Option<&'b Interval>),
    ) -> Path {
        let mut env = Env::new();
        let mut extra: Vec<Vec<TermId>> = vec![Vec::new(); paths.len()];
        let mut always = Path::default();
        for &var in live {
            let first = paths.first().and_then(|p| p.env.get(&var)).cloned();
            let same = paths.iter().all(|p| p.env.get(&var) == first.as_ref());
            if let (true, Some(value)) = (same, first) {
                env.insert(var, value);
                continue;
            }
            let (origin, known) = origin(var);
            let new = self.program_var(&mut region.scratch, var, origin, known, &mut always);
            for (path, extra) in paths.iter_mut().zip(&mut extra) {
                if let Some(value) = path.env.get(&var).cloned() {
                    let equal = self.is_equal(&mut region.scratch, new, value, path);
                    extra.push(equal);
                }
            }
            env.insert(var, region.scratch.value_of(new));
        }
        for (path, extra) in paths.iter_mut().zip(extra) {
            extra.into_iter().for_each(|t| path.assume(t));
        }
        let mut conjuncts = merged(&mut region.scratch.terms, paths);
        for term in always.conjuncts {
            if let Err(at) = conjuncts.binary_search(&term) {
                conjuncts.insert(at, term);
            }
        }
        Path {
            conjuncts,
            env: Rc::new(env),
        }
    }

    /// A variable has a value; what the value needs goes to the path.
    fn is_equal(&self, scratch: &mut Scratch, var: Var, value: Val, path: &mut Path) -> TermId {
        if scratch.terms.sort(var) == Sort::Bool {
            let truth = scratch.truth(&value);
            let this = scratch.terms.var(var);
            return scratch.terms.iff(this, truth);
        }
        let lin = scratch.number(&value, path);
        scratch.terms.eq(Lin::var(var).sub(&lin))
    }

    fn ops(&self, region: &mut Region<'_>, block: BlockId, path: &mut Path) -> Result<()> {
        let body = self.program.function(region.function).block(block);
        for (i, op) in body.ops.iter().enumerate() {
            match &op.kind {
                OpKind::Assign(var, value) => {
                    let value = self.eval(&mut region.scratch, value, path)?;
                    let value = self.short(region, value, path);
                    path.set(*var, value);
                }
                OpKind::Havoc(var, _) => {
                    let value = self.arbitrary(region, *var, Origin::Havoc(block, i), path);
                    path.set(*var, value);
                }
                OpKind::Enter(..) | OpKind::Leave | OpKind::Memory(_) => {}
            }
        }
        Ok(())
    }

    /// Numbers that grow beyond use get a variable.
    fn short(&self, region: &mut Region<'_>, value: Val, path: &mut Path) -> Val {
        let Val::Num(lin) = &value else {
            return value;
        };
        let long = lin.terms.len() > 64
            || lin.terms.iter().any(|(_, f)| f.bits() > 128)
            || lin.constant.bits() > 4096;
        if !long {
            return value;
        }
        let (low, high) = region.scratch.range(lin);
        let new = region
            .scratch
            .fresh("sum", Sort::Int, Origin::Value(lin.clone()));
        let equal = region.scratch.terms.eq(Lin::var(new).sub(lin));
        path.assume(equal);
        region.scratch.bound_terms(new, low, high);
        Val::Num(Lin::var(new))
    }

    fn arbitrary(
        &self,
        region: &mut Region<'_>,
        var: VarId,
        origin: Origin,
        path: &mut Path,
    ) -> Val {
        let variable = self.program.var(var);
        let sort = self.sort(var);
        let new = region.scratch.fresh(&variable.name, sort, origin);
        if sort == Sort::Int {
            let (low, high) = self.semantics.arbitrary(variable.ty);
            region.scratch.bound(new, low, high, path);
        }
        region.scratch.value_of(new)
    }

    fn branches(
        &self,
        region: &mut Region<'_>,
        block: BlockId,
        path: Path,
    ) -> Result<Vec<(BlockId, Path)>> {
        let body = self.program.function(region.function).block(block);
        let scratch = &mut region.scratch;
        match &body.end {
            End::Goto(next) => Ok(vec![(*next, path)]),
            End::Branch(condition, yes, no) => {
                let mut path = path;
                let truth = self.condition(scratch, condition, &mut path)?;
                let mut other = path.clone();
                path.assume(truth);
                other.assume(scratch.terms.not(truth));
                Ok(vec![(*yes, path), (*no, other)])
            }
            End::Switch(value, cases, default) => {
                let mut path = path;
                let value = self.eval(scratch, value, &mut path)?;
                let value = scratch.number(&value, &mut path);
                let mut rest = path.clone();
                let mut all = Vec::new();
                for (number, target) in cases {
                    let here = scratch.terms.eq(value.clone().plus(-number));
                    let mut case = path.clone();
                    case.assume(here);
                    all.push((*target, case));
                    rest.assume(scratch.terms.not(here));
                }
                all.push((*default, rest));
                Ok(all)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The variable of an argument that has this value.
    fn argument(
        &self,
        scratch: &mut Scratch,
        var: VarId,
        value: Option<&Val>,
        path: &mut Path,
    ) -> Var {
        let variable = self.program.var(var);
        let sort = self.sort(var);
        let value = match value {
            Some(value) => value.clone(),
            // A variable without a value is arbitrary: only its type says something about it.
            None => {
                let origin = Origin::Value(Lin::default());
                return self.program_var(scratch, var, origin, None, path);
            }
        };
        if sort == Sort::Bool {
            let truth = scratch.truth(&value);
            if let Node::Var(var) = scratch.terms.node(truth) {
                return *var;
            }
            let new = scratch.fresh(&variable.name, sort, Origin::Truth(truth));
            let this = scratch.terms.var(new);
            let equal = scratch.terms.iff(this, truth);
            path.assume(equal);
            return new;
        }
        let lin = scratch.number(&value, path);
        if let [(var, factor)] = lin.terms.as_slice()
            && factor.is_one()
            && lin.constant.is_zero()
        {
            return *var;
        }
        let new = scratch.fresh(&variable.name, sort, Origin::Value(lin.clone()));
        let equal = scratch.terms.eq(Lin::var(new).sub(&lin));
        path.assume(equal);
        new
    }

    /// The arguments of a predicate about this function.
    fn head(&self, region: &mut Region<'_>, pred: Pred, path: &mut Path) -> (Pred, Vec<Var>) {
        let args = self.out.predicates[pred.index()].args.clone();
        let vars = args.into_iter().map(|arg| match arg {
            Arg::Entry(v) => {
                let value = region.entry.get(&v).cloned();
                self.argument(&mut region.scratch, v, value.as_ref(), path)
            }
            Arg::Now(v) => {
                let value = path.env.get(&v).cloned();
                self.argument(&mut region.scratch, v, value.as_ref(), path)
            }
        });
        (pred, vars.collect())
    }

    fn emit_cut(
        &mut self,
        region: &mut Region<'_>,
        work: &Work,
        target: BlockId,
        paths: Vec<Path>,
    ) -> Result<()> {
        let Some(&pred) = self.cut_preds.get(&(region.function, target)) else {
            return Ok(());
        };
        let mut path = self.joined(region, target, paths);
        let head = self.head(region, pred, &mut path);
        let place = self.out.horn.predicate(pred).place.clone();
        let (what, span) = place.map_or((String::new(), Span::default()), |p| (p.what, p.span));
        self.emit(
            region,
            Parts {
                formula: path.conjuncts,
                body: work.body.clone(),
                head: Some(head),
                calls: work.calls.clone(),
                target: Target::Cut(target),
                span,
                what: format!("up to {what}"),
            },
        )
    }

    fn emit_return(
        &mut self,
        region: &mut Region<'_>,
        work: &Work,
        paths: Vec<Path>,
    ) -> Result<()> {
        let Some(pred) = self.summary[region.function.index()].filter(|_| !paths.is_empty()) else {
            return Ok(());
        };
        let interface = self.liveness.interface(region.function);
        let function = self.program.function(region.function);
        let mut outputs: Vec<VarId> = interface.outputs.iter().copied().collect();
        outputs.extend(function.result.filter(|_| interface.result));
        // The exit of a function has the number after its last block.
        let end = BlockId(function.blocks.len() as u32);
        let id = region.function;
        let mut path = self.join(region, paths, &outputs, |v| {
            (Origin::At(end, v), self.ranges.exit(id, v))
        });
        let head = self.head(region, pred, &mut path);
        let parts = Parts {
            formula: path.conjuncts,
            body: work.body.clone(),
            head: Some(head),
            calls: work.calls.clone(),
            target: Target::Return,
            span: function.span,
            what: format!("`{}` comes back", function.name),
        };
        self.emit(region, parts)
    }

    fn emit_error(
        &mut self,
        region: &mut Region<'_>,
        work: &Work,
        errors: Vec<(Span, Path)>,
    ) -> Result<()> {
        let Some(span) = errors.first().map(|(s, _)| *s) else {
            return Ok(());
        };
        let what = match errors.len() {
            1 => "the assertion is violated".to_owned(),
            n => format!("one of {n} assertions is violated"),
        };
        let paths = errors.into_iter().map(|(_, p)| p).collect();
        let path = self.join(region, paths, &[], |v| (Origin::Start(v), None));
        self.failure(
            region,
            work,
            path,
            Target::Error,
            work.body.clone(),
            span,
            what,
        )
    }

    #[allow(clippy::too_many_arguments)]
    fn failure(
        &mut self,
        region: &mut Region<'_>,
        work: &Work,
        mut path: Path,
        target: Target,
        body: Vec<(Pred, Vec<Var>)>,
        span: Span,
        what: String,
    ) -> Result<()> {
        let head = self.fails[region.function.index()];
        let head = head.map(|pred| self.head(region, pred, &mut path));
        let parts = Parts {
            formula: path.conjuncts,
            body,
            head,
            calls: work.calls.clone(),
            target,
            span,
            what,
        };
        self.emit(region, parts)
    }

    fn call(
        &mut self,
        region: &mut Region<'_>,
        work: &Work,
        path: Path,
        call: Call<'_>,
        queue: &mut VecDeque<Work>,
    ) -> Result<()> {
        let span = self
            .program
            .function(region.function)
            .block(call.block)
            .span;
        if let Some(pred) = self.fails[call.callee.index()] {
            let mut path = path.clone();
            let app = self.application(region, pred, &call, &mut path)?;
            let mut body = work.body.clone();
            body.push(app);
            let what = format!(
                "`{}` fails when it is called here",
                self.program.function(call.callee).name
            );
            let target = Target::Callee(call.block);
            self.failure(region, work, path, target, body, span, what)?;
        }
        let leads = self.leads(region.function, call.next);
        let Some(pred) = self.summary[call.callee.index()].filter(|_| leads) else {
            return Ok(());
        };
        let mut path = path;
        let app = self.application(region, pred, &call, &mut path)?;
        let mut body = work.body.clone();
        body.push(app);
        let mut calls = work.calls.clone();
        calls.push(call.block);
        let after = Work {
            block: call.next,
            path,
            body,
            calls,
        };
        // A loop may begin right after the call.
        if region.cuts.is_cut[call.next.index()] {
            let path = after.path.clone();
            return self.emit_cut(region, &after, call.next, vec![path]);
        }
        queue.push_back(after);
        Ok(())
    }

    /// A predicate about the callee, with what it is given; what comes out goes to the path.
    fn application(
        &self,
        region: &mut Region<'_>,
        pred: Pred,
        call: &Call<'_>,
        path: &mut Path,
    ) -> Result<(Pred, Vec<Var>)> {
        let callee = self.program.function(call.callee);
        let mut vars = Vec::new();
        let mut changed = Vec::new();
        for arg in self.out.predicates[pred.index()].args.clone() {
            let var = match arg {
                Arg::Entry(v) => {
                    let param = callee.params.iter().position(|p| *p == v);
                    let value = match param.and_then(|n| call.args.get(n)) {
                        Some(arg) => Some(self.eval(&mut region.scratch, arg, path)?),
                        None => path.env.get(&v).cloned(),
                    };
                    self.argument(&mut region.scratch, v, value.as_ref(), path)
                }
                Arg::Now(v) => {
                    let to = if Some(v) == callee.result {
                        call.result
                    } else {
                        Some(v)
                    };
                    let origin = Origin::After(call.block, v);
                    let known = self.ranges.exit(call.callee, v);
                    let new = self.program_var(&mut region.scratch, v, origin, known, path);
                    changed.extend(to.map(|to| (to, new)));
                    new
                }
            };
            vars.push(var);
        }
        for (to, new) in changed {
            let value = region.scratch.value_of(new);
            path.set(to, value);
        }
        Ok((pred, vars))
    }
}

struct Call<'a> {
    block: BlockId,
    callee: FnId,
    args: &'a [Expr],
    result: Option<VarId>,
    next: BlockId,
}

/// What is true on one of several paths: what they share, and one of the rests.
fn merged(terms: &mut Terms, paths: Vec<Path>) -> Vec<TermId> {
    let mut paths = paths.into_iter().map(|p| p.conjuncts);
    let Some(first) = paths.next() else {
        return vec![Terms::FALSE];
    };
    let rest: Vec<Vec<TermId>> = paths.collect();
    if rest.is_empty() {
        return first;
    }
    let mut shared = first.clone();
    for other in &rest {
        shared.retain(|t| other.binary_search(t).is_ok());
    }
    let mut choices = Vec::new();
    for all in std::iter::once(first).chain(rest) {
        let own = all.into_iter().filter(|t| shared.binary_search(t).is_err());
        choices.push(terms.and(own));
    }
    let choice = terms.or(choices);
    if choice == Terms::TRUE {
        return shared;
    }
    if let Err(at) = shared.binary_search(&choice) {
        shared.insert(at, choice);
    }
    shared
}
