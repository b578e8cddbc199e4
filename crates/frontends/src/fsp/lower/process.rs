//! One process with its local processes, to states and edges.
//!
//! As in LTSA: every local process is a state for every value of its indices, reachable or not,
//! and all of them give labels to the alphabet; every action of a set leads to a state of its own;
//! a reference to an index that is not defined leads to ERROR; what is not reachable is dropped at
//! the end.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_source::{Diagnostic, Span};

use super::block::{Block, Flat, shown_state};
use super::machine::{Core, Machine, Name, TAU};
use super::references::check_references;
use super::{Lowering, paths};
use crate::fsp::ast::{Body, Branch, Instance, Process, Reference};
use crate::fsp::check::RESERVED;
use crate::fsp::eval::{Locals, Lowered, Scope, Value};

/// Not a state: where ERROR is.
const ERROR: u32 = u32::MAX;
/// States get names for display up to this many.
const NAMED_STATES: u32 = 1 << 16;

/// Machines that run one after the other, and where they are named.
type Sequence = Vec<(Rc<Machine>, Span)>;

/// Something to expand at a state.
struct Work<'a> {
    state: u32,
    branch: &'a Branch,
    /// How many actions of the branch are done.
    done: usize,
    locals: Locals,
}

struct Builder<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    process: &'a Process,
    parameters: Rc<[(Rc<str>, Value)]>,
    blocks: Vec<Block<'a>>,
    by_name: FxHashMap<Rc<str>, Vec<usize>>,
    explicit: u32,
    states: u32,
    stop: Option<u32>,
    end: Option<u32>,
    /// What a state is another name of.
    aliases: FxHashMap<u32, (u32, Span)>,
    edges: Vec<(u32, u32, u32)>,
    labels: FxHashMap<Name, u32>,
    names: Vec<Name>,
    work: Vec<Work<'a>>,
    /// Places where an index out of range was reported.
    reported: FxHashSet<Span>,
}

/// States, edges and alphabet of a process, before extension, relabelling and hiding.
pub(super) fn build<'a>(
    lowering: &mut Lowering<'a>,
    process: &'a Process,
    parameters: Rc<[(Rc<str>, Value)]>,
) -> Lowered<(Core, Vec<Name>)> {
    check_references(lowering, process)?;
    let mut builder = Builder {
        lowering,
        process,
        parameters,
        blocks: Vec::new(),
        by_name: FxHashMap::default(),
        explicit: 0,
        states: 0,
        stop: None,
        end: None,
        aliases: FxHashMap::default(),
        edges: Vec::new(),
        labels: FxHashMap::default(),
        names: Vec::new(),
        work: Vec::new(),
        reported: FxHashSet::default(),
    };
    builder.number_states()?;
    for block in 0..builder.blocks.len() {
        builder.expand_block(block)?;
    }
    builder.finish()
}

impl<'a> Builder<'_, 'a> {
    fn scope(&self) -> Scope<'_> {
        Scope::new(&self.lowering.definitions.globals, &self.parameters)
    }

    fn number_states(&mut self) -> Lowered<()> {
        for local in &self.process.locals {
            let mut values = Vec::new();
            let mut size = 1u64;
            for index in &local.indices {
                let these = self.scope().values(index, &Locals::default())?;
                size = size.saturating_mul(these.len());
                values.push(these);
            }
            let base = self.states;
            let limit = self.lowering.definitions.globals.limits.states as u64;
            if size.saturating_add(u64::from(base)) > limit.min(u64::from(u32::MAX / 2)) {
                return Err(self.too_many(local.name.span));
            }
            self.states += size as u32;
            let block = Block {
                local,
                values,
                base,
                size: size as u32,
            };
            self.check_overlap(&block)?;
            let same = self.by_name.entry(local.name.text.clone()).or_default();
            same.push(self.blocks.len());
            self.blocks.push(block);
        }
        self.explicit = self.states;
        Ok(())
    }

    /// Two definitions of one name must not cover the same indices.
    fn check_overlap(&self, block: &Block<'a>) -> Lowered<()> {
        let name = &block.local.name;
        let others = self.by_name.get(&name.text).map_or(&[][..], Vec::as_slice);
        if block.overlaps_itself() {
            let message = format!(
                "indices of the local process `{}` are not unique",
                name.text
            );
            return Err(Diagnostic::error(name.span, message)
                .label("two values of its indices are the same list")
                .help("indices are one flat list: `P[0][0.1]` is `P[0][0][1]`"));
        }
        let overlaps = |other: &&usize| self.blocks[**other].overlaps(block);
        match others.iter().find(overlaps) {
            None => Ok(()),
            Some(other) => Err(Diagnostic::error(
                name.span,
                format!("the local process `{}` is defined twice", name.text),
            )
            .label("defined again")
            .note(self.blocks[*other].local.name.span, "first defined here")),
        }
    }

    fn too_many(&self, span: Span) -> Diagnostic {
        let limit = self.lowering.definitions.globals.limits.states;
        let message = format!("the process has more than {limit} states");
        Diagnostic::error(span, message)
            .label("too many states")
            .help("use smaller ranges")
    }

    fn new_state(&mut self, span: Span) -> Lowered<u32> {
        let limit = self.lowering.definitions.globals.limits.states;
        if self.states as usize >= limit.min(u32::MAX as usize / 2) {
            return Err(self.too_many(span));
        }
        self.states += 1;
        Ok(self.states - 1)
    }

    fn add_edge(&mut self, source: u32, label: u32, target: u32, span: Span) -> Lowered<()> {
        self.lowering.definitions.globals.spend(1, span)?;
        let limit = self.lowering.definitions.globals.limits.transitions;
        if self.edges.len() >= limit {
            let message = format!("the process has more than {limit} transitions");
            return Err(Diagnostic::error(span, message).help("use smaller ranges"));
        }
        self.edges.push((source, label, target));
        Ok(())
    }

    fn label(&mut self, name: Name, span: Span) -> Lowered<u32> {
        if let Some(label) = self.labels.get(&name) {
            return Ok(*label);
        }
        let limit = self.lowering.definitions.globals.limits.labels;
        if self.names.len() >= limit {
            let message = format!("the process has more than {limit} labels");
            return Err(Diagnostic::error(span, message).help("use smaller ranges"));
        }
        let label = self.names.len() as u32;
        self.names.push(name.clone());
        self.labels.insert(name, label);
        Ok(label)
    }

    fn expand_block(&mut self, number: usize) -> Lowered<()> {
        let (local, base, size) = {
            let block = &self.blocks[number];
            (block.local, block.base, block.size)
        };
        for state in base..base + size {
            let mut locals = Locals::default();
            let indices = self.blocks[number].indices(state);
            for (index, value) in local.indices.iter().zip(indices) {
                locals = self.scope().bind_index(&locals, index, value)?;
            }
            self.define_state(state, &local.body, &locals)?;
            while let Some(work) = self.work.pop() {
                self.expand(work)?;
            }
        }
        Ok(())
    }

    /// Follows `if` to what is meant; none is STOP.
    fn chosen<'b>(&self, mut body: &'b Body, locals: &Locals) -> Lowered<Option<&'b Body>> {
        while let Body::If {
            condition,
            then,
            otherwise,
        } = body
        {
            body = match (self.scope().holds(condition, locals)?, otherwise) {
                (true, _) => then,
                (false, Some(otherwise)) => otherwise,
                (false, None) => return Ok(None),
            };
        }
        Ok(Some(body))
    }

    fn define_state(&mut self, state: u32, body: &'a Body, locals: &Locals) -> Lowered<()> {
        match self.chosen(body, locals)? {
            None => {
                let stop = self.stop_state(self.process.name.span)?;
                self.aliases.insert(state, (stop, self.process.name.span));
            }
            Some(Body::Refer(reference)) => {
                let target = self.target(reference, locals)?;
                let machines = self.sequence(&reference.before, locals)?;
                match machines.is_empty() {
                    true => {
                        self.aliases.insert(state, (target, reference.span));
                    }
                    false => {
                        self.insert_all(Some(state), &machines, target)?;
                    }
                }
            }
            Some(Body::Choice(branches)) => self.push_choice(state, branches, locals)?,
            Some(Body::If { .. }) => {}
        }
        Ok(())
    }

    fn push_choice(&mut self, state: u32, branches: &'a [Branch], locals: &Locals) -> Lowered<()> {
        for branch in branches.iter().rev() {
            let enabled = match &branch.guard {
                Some(guard) => self.scope().holds(guard, locals)?,
                None => true,
            };
            if enabled {
                self.work.push(Work {
                    state,
                    branch,
                    done: 0,
                    locals: locals.clone(),
                });
            }
        }
        Ok(())
    }

    fn expand(&mut self, work: Work<'a>) -> Lowered<()> {
        let action = &work.branch.actions[work.done];
        let last = work.done + 1 == work.branch.actions.len();
        for (text, locals) in self.scope().labels(action, &work.locals)? {
            let label = self.label(Name::visible(text), action.span)?;
            let target = match last {
                true => self.continuation(&work.branch.next, &locals, action.span)?,
                false => {
                    let state = self.new_state(action.span)?;
                    self.work.push(Work {
                        state,
                        branch: work.branch,
                        done: work.done + 1,
                        locals,
                    });
                    state
                }
            };
            self.add_edge(work.state, label, target, action.span)?;
        }
        Ok(())
    }

    /// The state in which a body begins.
    fn continuation(&mut self, body: &'a Body, locals: &Locals, span: Span) -> Lowered<u32> {
        match self.chosen(body, locals)? {
            None => self.stop_state(span),
            Some(Body::Refer(reference)) => {
                let target = self.target(reference, locals)?;
                let machines = self.sequence(&reference.before, locals)?;
                self.insert_all(None, &machines, target)
            }
            Some(Body::Choice(branches)) => {
                let state = self.new_state(span)?;
                self.push_choice(state, branches, locals)?;
                Ok(state)
            }
            Some(Body::If { .. }) => self.stop_state(span),
        }
    }

    fn stop_state(&mut self, span: Span) -> Lowered<u32> {
        if self.stop.is_none() {
            self.stop = Some(self.new_state(span)?);
        }
        Ok(self.stop.unwrap_or(0))
    }

    fn end_state(&mut self, span: Span) -> Lowered<u32> {
        if self.end.is_none() {
            self.end = Some(self.new_state(span)?);
        }
        Ok(self.end.unwrap_or(0))
    }

    /// The state that a reference names.
    fn target(&mut self, reference: &'a Reference, locals: &Locals) -> Lowered<u32> {
        let name = &reference.name;
        let mut indices = Vec::new();
        for index in &reference.indices {
            indices.push(self.scope().value(index, locals)?);
        }
        if let Some(blocks) = self.by_name.get(&name.text) {
            let all = || blocks.iter().map(|b| &self.blocks[*b]);
            let found = all().find_map(|b| b.state(&indices));
            let found = found.or_else(|| {
                let flat = Flat::new(&indices)?;
                all().find_map(|b| b.flat_state(&flat))
            });
            return match found {
                Some(state) => Ok(state),
                None => self.out_of_range(reference, &indices),
            };
        }
        match (&*name.text, indices.is_empty()) {
            ("STOP", true) => self.stop_state(name.span),
            ("END", true) => self.end_state(name.span),
            ("ERROR", true) => Ok(ERROR),
            // A warning was given before.
            (name, _) if !RESERVED.contains(&name) => Ok(ERROR),
            _ => {
                let message = format!("`{}` has no indices", name.text);
                Err(Diagnostic::error(reference.span, message).label("expected no index"))
            }
        }
    }

    /// LTSA takes a local process that is not defined for an index to be ERROR; so do we.
    fn out_of_range(&mut self, reference: &Reference, indices: &[Value]) -> Lowered<u32> {
        if self.reported.insert(reference.span) {
            let shown = shown_state(&reference.name.text, indices);
            let warning = Diagnostic::warning(
                reference.span,
                format!("`{shown}` is not defined: it is taken to be ERROR"),
            )
            .label("index out of range")
            .help("guard the action with `when`, or define that case");
            self.lowering.warn(warning);
        }
        Ok(ERROR)
    }

    /// The machines of a sequence; one that ends at once is left out.
    fn sequence(&mut self, before: &'a [Instance], locals: &Locals) -> Lowered<Sequence> {
        let mut machines = Vec::new();
        for instance in before {
            let arguments = match &instance.arguments {
                Some(exprs) => Some(
                    exprs
                        .iter()
                        .map(|e| self.scope().value(e, locals))
                        .collect::<Lowered<Vec<_>>>()?,
                ),
                None => None,
            };
            let machine = self.lowering.sequential(&instance.name, arguments)?;
            let is_end = machine.core.states == 1 && machine.core.end == Some(0);
            if !is_end {
                machines.push((machine, instance.name.span));
            }
        }
        Ok(machines)
    }

    /// Puts machines before a state; the first begins at `start` if that is given.
    fn insert_all(&mut self, start: Option<u32>, machines: &Sequence, target: u32) -> Lowered<u32> {
        let mut next = target;
        for (position, (machine, span)) in machines.iter().enumerate().rev() {
            let at = start.filter(|_| position == 0);
            next = self.insert(machine, at, next, *span)?;
        }
        Ok(next)
    }

    /// Copies a machine whose end is to be `next`; says where the copy begins.
    fn insert(
        &mut self,
        machine: &Machine,
        at: Option<u32>,
        next: u32,
        span: Span,
    ) -> Lowered<u32> {
        let core = &machine.core;
        let mut states = Vec::with_capacity(core.states as usize);
        for state in 0..core.states {
            states.push(match (state, at) {
                (0, Some(at)) => at,
                _ if core.end == Some(state) => next,
                _ if core.error == Some(state) => ERROR,
                _ => self.new_state(span)?,
            });
        }
        let mut labels = Vec::with_capacity(machine.labels.len());
        for names in &machine.labels {
            let mut numbers = Vec::new();
            for name in names {
                numbers.push(self.label(name.clone(), span)?);
            }
            labels.push(numbers);
        }
        for (source, label, target) in &core.edges {
            let (source, target) = (states[*source as usize], states[*target as usize]);
            match labels.get(*label as usize) {
                Some(numbers) => {
                    for number in numbers {
                        self.add_edge(source, *number, target, span)?;
                    }
                }
                None => self.add_edge(source, TAU, target, span)?,
            }
        }
        Ok(states[0])
    }

    fn finish(mut self) -> Lowered<(Core, Vec<Name>)> {
        let resolved = self.resolve_aliases()?;
        let real = |state: u32| resolved.get(state as usize).copied().unwrap_or(state);
        let initial = real(0);
        let names = std::mem::take(&mut self.names);
        if initial == ERROR {
            // A process that is ERROR from the start gets there by a step of its own, as in LTSA.
            let core = Core {
                states: 2,
                edges: vec![(0, TAU, 1)],
                error: Some(1),
                ..Core::default()
            };
            return Ok((core, names));
        }
        for (_, _, target) in &mut self.edges {
            *target = real(*target);
        }
        let end = self.end;
        let keep = paths::keep_reachable(self.states, initial, ERROR, &self.edges);
        let mut core = Core {
            states: keep.states,
            edges: keep.edges,
            error: keep.error,
            end: end.and_then(|e| keep.numbers[e as usize]),
            state_names: Vec::new(),
        };
        if keep.states <= NAMED_STATES {
            core.state_names = self.state_names(&keep.numbers, &resolved);
            core.state_names.resize(core.states as usize, String::new());
        }
        Ok((core, names))
    }

    /// What every state that is only a name represents.
    fn resolve_aliases(&self) -> Lowered<Vec<u32>> {
        let mut resolved: Vec<u32> = (0..self.explicit).collect();
        for state in 0..self.explicit {
            let mut path = vec![state];
            let mut at = state;
            let real = loop {
                match self.aliases.get(&at) {
                    None => break at,
                    Some(_) if resolved[at as usize] != at => break resolved[at as usize],
                    Some((next, span)) => {
                        if *next == ERROR || *next >= self.explicit {
                            break *next;
                        }
                        if path.len() > self.explicit as usize || *next == state {
                            return Err(self.unguarded(*span));
                        }
                        path.push(*next);
                        at = *next;
                    }
                }
            };
            for state in path {
                resolved[state as usize] = real;
            }
        }
        Ok(resolved)
    }

    fn unguarded(&self, span: Span) -> Diagnostic {
        Diagnostic::error(span, "this recursion has no action on the way")
            .label("leads back to itself")
            .help("put an action before it: `P = (a -> P)`")
    }

    fn state_names(&self, numbers: &[Option<u32>], resolved: &[u32]) -> Vec<String> {
        let mut names = Vec::new();
        let mut set = |number: u32, name: String| {
            if names.len() <= number as usize {
                names.resize(number as usize + 1, String::new());
            }
            let slot: &mut String = &mut names[number as usize];
            if slot.is_empty() {
                *slot = name;
            }
        };
        for block in &self.blocks {
            for state in block.base..block.base + block.size {
                if resolved[state as usize] != state {
                    continue;
                }
                if let Some(number) = numbers[state as usize] {
                    let indices = block.indices(state);
                    set(number, shown_state(&block.local.name.text, &indices));
                }
            }
        }
        for (state, name) in [(self.stop, "STOP"), (self.end, "END")] {
            if let Some(number) = state.and_then(|s| numbers[s as usize]) {
                set(number, name.to_owned());
            }
        }
        names
    }
}
