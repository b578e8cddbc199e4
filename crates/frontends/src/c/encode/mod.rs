//! Graphs to Horn clauses: large blocks between cuts, summaries for functions.
//!
//! For each function there are up to two predicates, the *summary* (what it was given, what came out) and
//! *fails* (what it was given when an assertion was violated in it or below), and one for each cut: what
//! the function was given, and the variables that matter now. A clause goes from one cut to the next over
//! all paths at once; a call on the way is a predicate in its body. See `docs/c.md`.

mod block;
mod copy;
mod scratch;
mod value;

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_model::chc::{Horn, Place, Pred, Sort, TermId, Var};
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::ir::{BlockId, End, FnId, Function, OpKind, Program, VarId};
use super::passes::effects::Effects;
use super::passes::liveness::{Liveness, Vars};
use super::passes::order::Cuts;
use super::passes::ranges::{Interval, Ranges};
use super::types::Semantics;

use block::{Env, Path};
pub(super) use scratch::Origin;
use scratch::{Scratch, Val};

/// How many parts all formulas together may have, whatever the limits say.
const TERMS: usize = 10_000_000;

/// What an argument of a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    /// The value of a variable when the function was entered.
    Entry(VarId),
    /// Its value now; of a summary: when the function comes back.
    Now(VarId),
}

/// What a predicate represents.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Cut { function: FnId, block: BlockId },
    Summary,
    Fails,
}

#[derive(Clone, Debug)]
pub(super) struct PredInfo {
    pub(super) meaning: Meaning,
    pub(super) args: Vec<Arg>,
}

/// The head of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Cut(BlockId),
    Return,
    /// An assertion is violated here.
    Error,
    /// The function called at this block fails.
    Callee(BlockId),
}

/// The path of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Route {
    pub(super) function: FnId,
    pub(super) source: BlockId,
    /// The calls on the way that come back, in order.
    pub(super) calls: Vec<BlockId>,
    pub(super) target: Target,
}

#[derive(Clone, Debug)]
pub(super) struct ClauseInfo {
    pub(super) route: Route,
    /// What the variables of the clause represent, each after those its own value depends on.
    pub(super) origins: Vec<(Var, Origin)>,
}

/// The clauses, and what is needed to read evidence back.
#[derive(Clone, Debug)]
pub(super) struct Encoded {
    pub(super) horn: Horn,
    pub(super) predicates: Vec<PredInfo>,
    pub(super) clauses: Vec<ClauseInfo>,
    pub(super) cuts: Vec<Cuts>,
}

pub(super) struct Encoder<'a> {
    program: &'a Program,
    effects: &'a Effects,
    liveness: &'a Liveness,
    is_bool: &'a [bool],
    ranges: &'a Ranges,
    semantics: Semantics,
    limit: usize,
    out: Encoded,
    summary: Vec<Option<Pred>>,
    fails: Vec<Option<Pred>>,
    cut_preds: FxHashMap<(FnId, BlockId), Pred>,
    /// For each function the variables that it or a callee assigns to.
    changed: Vec<Vars>,
}

/// What is still to be followed: a place from which paths continue.
struct Work {
    block: BlockId,
    path: Path,
    body: Vec<(Pred, Vec<Var>)>,
    calls: Vec<BlockId>,
}

type Result<T> = std::result::Result<T, Diagnostic>;

pub(super) fn encode(
    program: &Program,
    effects: &Effects,
    liveness: &Liveness,
    is_bool: &[bool],
    ranges: &Ranges,
    semantics: Semantics,
    limits: &ParserLimits,
) -> Result<Encoded> {
    let cuts: Vec<Cuts> = program.functions.iter().map(Cuts::of).collect();
    let count = program.functions.len();
    let mut it = Encoder {
        program,
        effects,
        liveness,
        is_bool,
        ranges,
        semantics,
        limit: limits.transitions.min(TERMS),
        out: Encoded {
            horn: Horn::default(),
            predicates: Vec::new(),
            clauses: Vec::new(),
            cuts,
        },
        summary: vec![None; count],
        fails: vec![None; count],
        cut_preds: FxHashMap::default(),
        changed: program
            .functions
            .iter()
            .map(|f| changed(f, effects))
            .collect(),
    };
    let functions = called(program);
    for &function in &functions {
        it.declare(function);
    }
    for &function in &functions {
        it.function(function)?;
    }
    Ok(it.out)
}

fn changed(function: &Function, effects: &Effects) -> Vars {
    let mut vars = Vars::new();
    for block in &function.blocks {
        vars.extend(block.ops.iter().filter_map(|op| match op.kind {
            OpKind::Assign(var, _) | OpKind::Havoc(var, _) => Some(var),
            _ => None,
        }));
        if let End::Call { callee, result, .. } = block.end {
            vars.extend(result);
            vars.extend(effects.modifies(callee).iter().copied());
        }
    }
    vars
}

/// The functions that are reached from the root, in the order of the text.
fn called(program: &Program) -> Vec<FnId> {
    let mut seen = vec![false; program.functions.len()];
    let mut stack = vec![program.root()];
    while let Some(function) = stack.pop() {
        if !std::mem::replace(&mut seen[function.index()], true) {
            stack.extend(program.function(function).callees());
        }
    }
    let all = 0..program.functions.len() as u32;
    all.map(FnId).filter(|f| seen[f.index()]).collect()
}

impl Encoder<'_> {
    fn sort(&self, var: VarId) -> Sort {
        if self.is_bool[var.index()] {
            Sort::Bool
        } else {
            Sort::Int
        }
    }

    /// Is a variable never changed while the function runs?
    fn is_fixed(&self, function: FnId, var: VarId) -> bool {
        !self.changed[function.index()].contains(&var)
    }

    fn inputs(&self, function: FnId) -> Vars {
        let interface = self.liveness.interface(function);
        interface
            .for_return
            .union(&interface.for_failure)
            .copied()
            .collect()
    }

    fn predicate(&mut self, name: &str, meaning: Meaning, args: Vec<Arg>, place: Place) -> Pred {
        let var = |a: &Arg| match a {
            Arg::Entry(v) | Arg::Now(v) => *v,
        };
        let sorts: Vec<Sort> = args.iter().map(|a| self.sort(var(a))).collect();
        let pred = self.out.horn.add_predicate(name, &sorts);
        let twice = |v: VarId| args.iter().filter(|a| var(a) == v).count() > 1;
        for (i, arg) in args.iter().enumerate() {
            let formal = self.out.horn.predicate(pred).formals[i];
            let plain = &self.program.var(var(arg)).name;
            let shown = match arg {
                Arg::Entry(v) if twice(*v) => format!("{plain}@entry"),
                _ => plain.clone(),
            };
            self.out.horn.terms.rename(formal, &shown);
        }
        self.out.horn.predicates[pred.index()].place = Some(place);
        self.out.predicates.push(PredInfo { meaning, args });
        pred
    }

    fn declare(&mut self, function: FnId) {
        let body = self.program.function(function);
        let interface = self.liveness.interface(function).clone();
        let is_root = function == self.program.root();
        let entry = |vars: &Vars| -> Vec<Arg> { vars.iter().map(|v| Arg::Entry(*v)).collect() };
        if !is_root && self.effects.to_return[function.index()][Function::ENTRY.index()] {
            let mut args = entry(&interface.for_return);
            args.extend(interface.outputs.iter().map(|v| Arg::Now(*v)));
            args.extend(body.result.filter(|_| interface.result).map(Arg::Now));
            let place = Place {
                what: format!("what `{}` does", body.name),
                span: body.span,
            };
            let pred = self.predicate(&body.name, Meaning::Summary, args, place);
            self.summary[function.index()] = Some(pred);
        }
        if !is_root && self.effects.fails[function.index()] {
            let place = Place {
                what: format!("`{}` fails", body.name),
                span: body.span,
            };
            let name = format!("{}.fails", body.name);
            let args = entry(&interface.for_failure);
            let pred = self.predicate(&name, Meaning::Fails, args, place);
            self.fails[function.index()] = Some(pred);
        }
        let cuts: Vec<BlockId> = self.out.cuts[function.index()]
            .blocks
            .iter()
            .copied()
            .filter(|b| self.out.cuts[function.index()].is_cut[b.index()])
            .collect();
        for (i, block) in cuts.into_iter().enumerate() {
            self.declare_cut(function, block, i);
        }
    }

    fn declare_cut(&mut self, function: FnId, block: BlockId, number: usize) {
        let is_root = function == self.program.root();
        let interface = self.liveness.interface(function);
        let mut needed = Vars::new();
        if !is_root && self.effects.to_return[function.index()][block.index()] {
            needed.extend(interface.for_return.iter().copied());
        }
        if !is_root && self.effects.to_failure[function.index()][block.index()] {
            needed.extend(interface.for_failure.iter().copied());
        }
        let inputs = self.inputs(function);
        let live = self.liveness.at(function, block).clone();
        let mut now = Vec::new();
        for &var in &live {
            if inputs.contains(&var) && !is_root && self.is_fixed(function, var) {
                needed.insert(var);
            } else {
                now.push(Arg::Now(var));
            }
        }
        let mut args: Vec<Arg> = needed.into_iter().map(Arg::Entry).collect();
        args.extend(now);
        let body = self.program.function(function);
        let text = body.loops.iter().find(|l| l.head == block);
        let what = match (text, &body.block(block).end) {
            (Some(_), _) => format!("the loop in `{}`", body.name),
            (None, End::Call { callee, .. }) => {
                format!(
                    "before `{}` is called in `{}`",
                    self.program.function(*callee).name,
                    body.name
                )
            }
            _ => format!("a place in `{}` that is reached again", body.name),
        };
        let span = text.map_or(body.block(block).span, |l| l.span);
        let name = format!("{}@{}", body.name, number + 1);
        let meaning = Meaning::Cut { function, block };
        let pred = self.predicate(&name, meaning, args, Place { what, span });
        self.cut_preds.insert((function, block), pred);
    }

    fn function(&mut self, function: FnId) -> Result<()> {
        let cuts = self.out.cuts[function.index()].clone();
        for &block in &cuts.blocks {
            if block == Function::ENTRY || cuts.is_cut[block.index()] {
                self.cut(function, block, &cuts)?;
            }
        }
        Ok(())
    }

    /// All clauses that start at a cut.
    fn cut(&mut self, function: FnId, source: BlockId, cuts: &Cuts) -> Result<()> {
        let leads = self.effects.to_failure[function.index()][source.index()]
            || (self.effects.to_return[function.index()][source.index()]
                && function != self.program.root());
        if !leads {
            return Ok(());
        }
        let mut scratch = Scratch::new();
        let mut entry: FxHashMap<VarId, Val> = FxHashMap::default();
        let mut env = Env::new();
        let mut body = Vec::new();
        let mut path = Path::default();
        let args: Vec<Arg> = match self.cut_preds.get(&(function, source)) {
            Some(pred) => self.out.predicates[pred.index()].args.clone(),
            None if function == self.program.root() => Vec::new(),
            None => self.inputs(function).into_iter().map(Arg::Entry).collect(),
        };
        let mut vars = Vec::new();
        for arg in args {
            let (id, origin, known) = match arg {
                Arg::Entry(v) => (v, Origin::Entry(v), self.ranges.entry(function, v)),
                Arg::Now(v) => (v, Origin::Start(v), self.ranges.at(function, source, v)),
            };
            let var = self.program_var(&mut scratch, id, origin, known, &mut path);
            let value = scratch.value_of(var);
            match arg {
                Arg::Entry(v) => {
                    entry.insert(v, value.clone());
                    if source == Function::ENTRY || self.is_fixed(function, v) {
                        env.insert(v, value);
                    }
                }
                Arg::Now(v) => {
                    env.insert(v, value);
                }
            }
            vars.push(var);
        }
        if let Some(&pred) = self.cut_preds.get(&(function, source)) {
            body.push((pred, vars));
        }
        path.env = Rc::new(env);
        let mut region = Region {
            function,
            source,
            cuts,
            entry,
            scratch,
        };
        let mut queue = VecDeque::from([Work {
            block: source,
            path,
            body,
            calls: Vec::new(),
        }]);
        while let Some(work) = queue.pop_front() {
            self.region(&mut region, work, &mut queue)?;
        }
        Ok(())
    }

    /// A variable of the clause for one of the program, with the bounds that are known, or those of its type.
    fn program_var(
        &self,
        scratch: &mut Scratch,
        id: VarId,
        origin: Origin,
        known: Option<&Interval>,
        path: &mut Path,
    ) -> Var {
        let variable = self.program.var(id);
        let sort = self.sort(id);
        let var = scratch.fresh(&variable.name, sort, origin);
        if sort == Sort::Int && self.semantics.is_bounded() {
            let (low, high) = match known {
                Some(known) => known.clone(),
                None => self.semantics.range(variable.ty),
            };
            scratch.bound(var, Some(low), Some(high), path);
        }
        var
    }

    fn emit(&mut self, region: &mut Region<'_>, parts: Parts) -> Result<()> {
        let Parts {
            formula,
            body,
            head,
            calls,
            target,
            span,
            what,
        } = parts;
        let route = Route {
            function: region.function,
            source: region.source,
            calls,
            target,
        };
        let place = Place { what, span };
        copy::clause(
            &mut self.out,
            &region.scratch,
            &formula,
            &body,
            head,
            route,
            place,
        );
        if self.out.horn.terms.len() > self.limit {
            let message = format!("the clauses have more than {} parts", self.limit);
            return Err(Diagnostic::error(span, message).label("the limit was reached here"));
        }
        Ok(())
    }
}

/// The paths from one cut.
struct Region<'a> {
    function: FnId,
    source: BlockId,
    cuts: &'a Cuts,
    /// Values at the entry of the function.
    entry: FxHashMap<VarId, Val>,
    scratch: Scratch,
}

/// A clause to be.
struct Parts {
    formula: Vec<TermId>,
    body: Vec<(Pred, Vec<Var>)>,
    head: Option<(Pred, Vec<Var>)>,
    calls: Vec<BlockId>,
    target: Target,
    span: Span,
    what: String,
}
