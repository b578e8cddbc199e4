//! Elements to locations and edges.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_model::program::{
    Action, Binary, Edge, Expr, Init, Keep, Location, Pattern, Program, Promise, Scope,
};
use suppose_source::{Diagnostic, Span};

use super::element::{ATOMIC, Body, Element, Id, Jump, Kind, LAST, SeqId};
use super::expr::{balanced, not};
use super::flow::Flow;
use super::{Lower, Lowered};
use crate::promela::ast::{Sequence, VarRef};
use crate::promela::lexer::Sym;

/// The graph of a body.
pub(super) struct Graph {
    pub(super) locations: Vec<Location>,
    pub(super) entry: u32,
    /// The closing brace, if it can be reached.
    pub(super) stop: Option<u32>,
    pub(super) labels: FxHashMap<Sym, Vec<u32>>,
    /// How many elements SPIN's parser makes of the body; none if it makes more of it when it meets
    /// a reference to one of its labels.
    pub(super) elements: Option<usize>,
}

/// A location: the element it represents, and what a process keeps there.
type Key = (Id, Keep);

struct Grapher<'b> {
    body: &'b Body,
    program: &'b Program,
    /// Whose body it is; none for a claim.
    proctype: Option<usize>,
    numbers: FxHashMap<(Id, u8), u32>,
    keys: Vec<Key>,
    queue: VecDeque<u32>,
    locations: Vec<Location>,
    /// The element of each `d_step`, by its sequence.
    d_steps: FxHashMap<SeqId, Id>,
    /// How many elements are from the text.
    written: usize,
    limit: usize,
    edges: usize,
    most_edges: usize,
}

impl Lower<'_> {
    pub(super) fn proctype(&mut self, number: usize) {
        let ast = self.ast;
        let it = &ast.proctypes[number];
        self.current = Some(number);
        self.enter_scope();
        let parameters: usize = it.parameters.iter().map(|d| d.variables.len()).sum();
        for var in self.frames[number].clone().into_iter().take(parameters) {
            self.show(var);
        }
        if let Some(provided) = &it.provided {
            let provided = self.expr(provided);
            self.program.proctypes[number].provided = self.keep(provided);
        }
        if it.priority.is_some() {
            self.note_priority(it.name.span);
        }
        self.enter_scope();
        let graph = self.graph(&it.body, parameters, it.end, Some(number));
        self.leave_scope();
        self.leave_scope();
        self.current = None;
        let graph = self.keep(graph);
        let labels = match graph {
            Some(graph) => {
                let proctype = &mut self.program.proctypes[number];
                proctype.locations = graph.locations;
                proctype.entry = graph.entry;
                self.elements.push(graph.elements);
                graph.labels
            }
            None => FxHashMap::default(),
        };
        self.labels.push(labels);
    }

    pub(super) fn graph(
        &mut self,
        steps: &Sequence,
        parameters: usize,
        end: Span,
        proctype: Option<usize>,
    ) -> Lowered<Graph> {
        let mut body = Flow::build(self, steps, parameters, end, proctype.is_none());
        self.check_jumps(&body)?;
        let written = body.elements.len();
        if let Some(number) = proctype {
            let watched = |name: Sym| self.watched.contains(&(number, name));
            body.hold_watched(&watched);
        }
        body.patch_atomic();
        let limit = self.limits.states.saturating_sub(self.locations);
        let first = body.seqs[0].first.unwrap_or(0);
        let mut grapher = Grapher {
            d_steps: body.d_steps(),
            body: &body,
            program: &self.program,
            proctype,
            written,
            numbers: FxHashMap::default(),
            keys: Vec::new(),
            queue: VecDeque::new(),
            locations: Vec::new(),
            limit,
            edges: 0,
            most_edges: self.limits.transitions,
        };
        let start = grapher.hunt(first, grapher.body.elements[first].status)?;
        let entry = grapher.number(start, Keep::Nothing);
        grapher.run()?;
        let graph = grapher.finish(self, entry);
        self.locations += graph.locations.len();
        Ok(graph)
    }

    /// A channel that the process has for itself. The variable is that of this place in the text; which channel it is is asked
    /// whenever another process uses one.
    pub(super) fn promise(&mut self, receives: bool, channel: &VarRef) {
        let Some(number) = self.current else {
            let it = Diagnostic::error(channel.span, "a claim has no channels for itself");
            self.fail(it.label("expected no `xr` or `xs` here"));
            return;
        };
        let place = self.scalar(channel);
        if let Some(place) = self.keep(place) {
            self.program.proctypes[number].promises.push(Promise {
                channel: Expr::Load(place),
                receives,
            });
        }
    }

    /// Every jump has a target, on its own side of a `d_step`.
    fn check_jumps(&mut self, body: &Body) -> Lowered<()> {
        for element in &body.elements {
            let Kind::Goto(jump) = element.kind else {
                continue;
            };
            let Some(target) = body.jump(jump) else {
                if let Jump::Label(name, _) = jump {
                    let error = self.unknown_label(body, name);
                    self.fail(error);
                }
                continue;
            };
            if element.d_step.is_none() && body.elements[target].d_step.is_some() {
                let it = Diagnostic::error(element.span, "a jump into a `d_step`");
                self.fail(it.label("leads inside"));
            }
        }
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(self
                .errors
                .pop()
                .unwrap_or_else(|| Diagnostic::error_without_place("error"))),
        }
    }

    fn unknown_label(&self, body: &Body, name: crate::promela::ast::Ident) -> Diagnostic {
        let shown = self.text(name.name);
        let it = Diagnostic::error(name.span, format!("there is no label `{shown}`"))
            .label("expected a label of this process");
        let all = body.labels.iter().map(|l| self.text(l.name.name));
        it.did_you_mean_or(shown, all, format!("write `{shown}:` before a statement"))
    }
}

impl Body {
    fn d_steps(&self) -> FxHashMap<SeqId, Id> {
        let all = self.elements.iter().enumerate();
        let d_steps = all.filter(|(_, e)| matches!(e.kind, Kind::DStep));
        d_steps.map(|(id, e)| (e.parts[0], id)).collect()
    }

    /// A jump with a label that is looked at from outside needs a place of its own.
    fn hold_watched(&mut self, watched: &impl Fn(Sym) -> bool) {
        for number in 0..self.labels.len() {
            let id = self.labels[number].element;
            if !watched(self.labels[number].name.name)
                || !matches!(self.elements[id].kind, Kind::Goto(_))
            {
                continue;
            }
            let mut jump = self.elements[id].clone();
            (jump.status, jump.labels) = (0, Vec::new());
            self.elements.push(jump);
            let copy = self.elements.len() - 1;
            self.elements[id].kind = Kind::Basic(Action::Guard(Expr::Const(1)));
            self.elements[id].next = Some(copy);
        }
    }

    /// A jump out of an `atomic` is its last step; one from its end into another keeps control.
    fn patch_atomic(&mut self) {
        for id in 0..self.elements.len() {
            let Kind::Goto(jump) = self.elements[id].kind else {
                continue;
            };
            let Some(target) = self.jump(jump) else {
                continue;
            };
            let target = self.elements[target].status & (ATOMIC | LAST) != 0;
            let status = &mut self.elements[id].status;
            if *status & (ATOMIC | LAST) != 0 && !target {
                *status = (*status & !ATOMIC) | LAST;
            }
            if *status & LAST != 0 && target {
                *status = (*status & !LAST) | ATOMIC;
            }
        }
    }

    /// The first element that options or a block begin with.
    fn start(&self, seq: SeqId) -> Option<Id> {
        let mut at = self.seqs[seq].first?;
        for _ in 0..self.elements.len() {
            let element = &self.elements[at];
            at = match element.kind {
                Kind::Join => element.next?,
                Kind::Unless => self.seqs[element.parts[0]].first?,
                _ => return Some(at),
            };
        }
        None
    }

    /// The elements that can be done first at a place, in order.
    fn ways(&self, id: Id, ways: &mut Vec<Id>, depth: usize) {
        if depth > self.elements.len() {
            return;
        }
        let element = &self.elements[id];
        let choice = matches!(element.kind, Kind::If | Kind::Do);
        match element.kind {
            Kind::If | Kind::Do | Kind::Atomic | Kind::Block => {
                for part in &element.parts {
                    let Some(start) = self.start(*part) else {
                        continue;
                    };
                    let first = &self.elements[start];
                    let never = matches!(first.kind, Kind::Basic(Action::Guard(Expr::Const(0))));
                    if choice && never && first.escapes.is_empty() {
                        continue;
                    }
                    self.ways(start, ways, depth + 1);
                }
            }
            Kind::Unless => {
                if let Some(start) = self.start(element.parts[0]) {
                    self.ways(start, ways, depth + 1);
                }
            }
            _ => ways.push(id),
        }
    }
}

impl Grapher<'_> {
    fn number(&mut self, id: Id, keep: Keep) -> u32 {
        let code = match keep {
            Keep::Nothing => 0,
            Keep::Atomic => 1,
            Keep::DStep => 2,
        };
        if let Some(number) = self.numbers.get(&(id, code)) {
            return *number;
        }
        let number = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.numbers.insert((id, code), number);
        self.keys.push((id, keep));
        self.queue.push_back(number);
        self.locations.push(Location {
            keep,
            span: Some(self.body.elements[id].span),
            ..Location::default()
        });
        number
    }

    fn run(&mut self) -> Lowered<()> {
        while let Some(number) = self.queue.pop_front() {
            let (id, keep) = self.keys[number as usize];
            let edges = self.edges(id, keep)?;
            self.edges += edges.len();
            if self.locations.len() > self.limit || self.edges > self.most_edges {
                let message = format!("the program has more than {} locations", self.limit);
                return Err(Diagnostic::error(self.body.elements[id].span, message).label("here"));
            }
            self.locations[number as usize].edges = edges;
        }
        Ok(())
    }

    /// Where a process comes to that goes on to an element: jumps and joins are passed over, but not
    /// from inside an `atomic` to its outside.
    fn hunt(&self, id: Id, status: u8) -> Lowered<Id> {
        let mut at = id;
        for _ in 0..=self.body.elements.len() {
            let element = &self.body.elements[at];
            let next = match element.kind {
                Kind::Goto(jump) => self.body.jump(jump),
                Kind::Join | Kind::Exit => element.next,
                Kind::Unless => match self.body.seqs[element.parts[0]].first {
                    Some(first) => Some(self.hunt(first, status)?),
                    None => None,
                },
                _ => return Ok(at),
            };
            let Some(next) = next else {
                return Ok(at);
            };
            if status & ATOMIC != 0 && self.body.elements[next].status & ATOMIC == 0 {
                return Ok(at);
            }
            at = next;
        }
        Err(Diagnostic::error(
            self.body.elements[id].span,
            "jumps that lead only to each other",
        )
        .label("nothing is ever done here")
        .help("put a statement such as `skip` between them"))
    }

    fn edges(&mut self, id: Id, keep: Keep) -> Lowered<Vec<Edge>> {
        let mut ways = Vec::new();
        self.body.ways(id, &mut ways, 0);
        let mut edges = Vec::new();
        if keep == Keep::DStep {
            for way in ways {
                edges.push(self.inner_edge(way)?);
            }
            return Ok(edges);
        }
        let mut escapes: Vec<SeqId> = Vec::new();
        for way in &ways {
            for escape in &self.body.elements[*way].escapes {
                if !escapes.contains(escape) {
                    escapes.push(*escape);
                }
            }
        }
        let status = self.body.elements[id].status;
        for (rank, escape) in escapes.iter().enumerate() {
            let Some(first) = self.body.seqs[*escape].first else {
                continue;
            };
            let start = self.hunt(first, status)?;
            let mut starts = Vec::new();
            self.body.ways(start, &mut starts, 0);
            for way in starts {
                let edge = self.edge(way, rank)?;
                edges.push(edge);
            }
        }
        if let [only] = ways.as_slice()
            && matches!(self.body.elements[*only].kind, Kind::DStep)
            && let Some(all) = self.d_step_messages(*only, escapes.len())?
        {
            edges.extend(all);
            return Ok(edges);
        }
        for way in ways {
            let edge = self.edge(way, escapes.len())?;
            edges.push(edge);
        }
        Ok(edges)
    }

    /// The ways into a `d_step` that begins with a choice of sends and receives, where nothing else can be done: the first one
    /// that is possible counts, and so the ways have ranks, from this one on. None where it begins otherwise.
    fn d_step_messages(&mut self, id: Id, rank: usize) -> Lowered<Option<Vec<Edge>>> {
        let ways = self.d_step_ways(id);
        let message = |way: &Id| {
            matches!(
                self.body.elements[*way].kind,
                Kind::Basic(Action::Send { .. } | Action::Receive { .. })
            )
        };
        if ways.len() < 2 || !ways.iter().any(message) {
            return Ok(None);
        }
        let receives = |way: &Id| {
            let kind = &self.body.elements[*way].kind;
            matches!(kind, Kind::Basic(Action::Receive { .. }))
        };
        // SPIN offers a rendezvous only to the receives before the first option that is of another kind.
        let late = ways.iter().skip_while(|way| receives(way));
        let mut late = late.filter(|way| receives(way) && self.may_meet(**way));
        if let Some(late) = late.next() {
            return Err(late_rendezvous(&self.body.elements[*late]));
        }
        let mut edges = Vec::new();
        for (place, way) in ways.iter().enumerate() {
            let number = self.make(Action::Else, 0, 0, id).number;
            edges.push(Edge {
                rank: u8::try_from(rank + place).unwrap_or(u8::MAX),
                number,
                ..self.inner_edge(*way)?
            });
        }
        Ok(Some(edges))
    }

    /// The elements that can be done first in a `d_step`.
    fn d_step_ways(&self, id: Id) -> Vec<Id> {
        let seq = self.body.elements[id].parts[0];
        let mut ways = Vec::new();
        if let Some(first) = self.body.start(seq) {
            self.body.ways(first, &mut ways, 0);
        }
        ways
    }

    /// May this be a receive in a rendezvous, or a send that offers one?
    fn may_meet(&self, id: Id) -> bool {
        let Kind::Basic(Action::Receive { channel, .. } | Action::Send { channel, .. }) =
            &self.body.elements[id].kind
        else {
            return false;
        };
        let init = match (channel, self.proctype) {
            (Expr::Load(place), Some(number)) => {
                let frame = match place.scope {
                    Scope::Global => &self.program.globals,
                    Scope::Local => &self.program.proctypes[number].locals,
                };
                frame.get(place.base as usize).map(|slot| &slot.init)
            }
            _ => None,
        };
        let channels = &self.program.channels;
        match init {
            Some(Init::Channel(kind)) => channels[*kind as usize].capacity == 0,
            _ => channels.iter().any(|c| c.capacity == 0),
        }
    }

    fn edge(&mut self, id: Id, rank: usize) -> Lowered<Edge> {
        let element = &self.body.elements[id];
        let rank = u8::try_from(rank).unwrap_or(u8::MAX);
        let keep = match element.status & ATOMIC {
            0 => Keep::Nothing,
            _ => Keep::Atomic,
        };
        let action = match &element.kind {
            Kind::Basic(action) => action.clone(),
            Kind::Else => Action::Else,
            Kind::DStep => return self.d_step_edge(id, rank),
            Kind::Stop => {
                let target = self.number(id, Keep::Nothing);
                return Ok(self.make(Action::End, target, rank, id));
            }
            _ => Action::Guard(Expr::Const(1)),
        };
        let next = match element.kind {
            Kind::Goto(jump) => self.body.jump(jump),
            _ => element.next,
        };
        let target = match next {
            Some(next) => {
                let target = self.hunt(next, element.status)?;
                self.number(target, keep)
            }
            None => self.number(id, keep),
        };
        Ok(self.make(action, target, rank, id))
    }

    fn make(&self, action: Action, target: u32, rank: u8, id: Id) -> Edge {
        let element = &self.body.elements[id];
        Edge {
            action,
            target,
            rank,
            text: element.text.clone(),
            span: element.span,
            number: u32::try_from(id).ok(),
            d_step: false,
        }
    }

    /// Into a `d_step`. With several ways to begin, which one is taken is settled inside: the first.
    fn d_step_edge(&mut self, id: Id, rank: u8) -> Lowered<Edge> {
        let seq = self.body.elements[id].parts[0];
        let Some(first) = self.body.start(seq) else {
            let target = self.leave(id)?;
            return Ok(self.make(Action::Guard(Expr::Const(1)), target, rank, id));
        };
        let mut ways = Vec::new();
        self.body.ways(first, &mut ways, 0);
        if let [only] = ways.as_slice() {
            let edge = self.inner_edge(*only)?;
            let number = self.make(Action::Else, 0, 0, id).number;
            // An `else` whose other options can never be taken. It is not the `else` of a choice around the `d_step`.
            let action = match edge.action {
                Action::Else => Action::Guard(Expr::Const(1)),
                action => action,
            };
            return Ok(Edge {
                action,
                rank,
                number,
                ..edge
            });
        }
        if let Some(way) = ways.iter().find(|way| self.may_meet(**way)) {
            return Err(late_rendezvous(&self.body.elements[*way]));
        }
        let guards = ways.iter().map(|way| match &self.body.elements[*way].kind {
            Kind::Basic(action) => executable(action),
            _ => Expr::Const(1),
        });
        let mut guards: Vec<Expr> = guards.collect();
        if guards
            .iter()
            .any(|g| matches!(g, Expr::Const(c) if *c != 0))
        {
            guards = vec![Expr::Const(1)];
        }
        let guard = match guards.is_empty() {
            true => Expr::Const(0),
            false => balanced(Binary::Or, guards),
        };
        let target = self.number(first, Keep::DStep);
        let mut edge = self.make(Action::Guard(guard), target, rank, id);
        edge.text = "d_step".to_owned();
        Ok(edge)
    }

    fn inner_edge(&mut self, id: Id) -> Lowered<Edge> {
        let element = &self.body.elements[id];
        let action = match &element.kind {
            Kind::Basic(action) => action.clone(),
            Kind::Else => Action::Else,
            _ => Action::Guard(Expr::Const(1)),
        };
        let target = self.after(id)?;
        Ok(Edge {
            d_step: true,
            ..self.make(action, target, 0, id)
        })
    }

    /// Where a process comes to inside a `d_step`, or behind it.
    fn after(&mut self, id: Id) -> Lowered<u32> {
        let element = &self.body.elements[id];
        let seq = element.d_step;
        let outer = seq
            .and_then(|s| self.d_steps.get(&s))
            .copied()
            .unwrap_or(id);
        let step = |id: Id| {
            let element = &self.body.elements[id];
            match element.kind {
                Kind::Goto(jump) => self.body.jump(jump),
                Kind::Unless => self.body.seqs[element.parts[0]].first,
                _ => element.next,
            }
        };
        let mut at = step(id);
        for _ in 0..=self.body.elements.len() {
            let Some(next) = at.filter(|n| self.body.elements[*n].d_step == seq) else {
                return self.leave(outer);
            };
            match self.body.elements[next].kind {
                Kind::Goto(_) | Kind::Join | Kind::Exit | Kind::Unless => at = step(next),
                _ => return Ok(self.number(next, Keep::DStep)),
            }
        }
        Err(
            Diagnostic::error(element.span, "jumps that lead only to each other")
                .label("nothing is ever done here"),
        )
    }

    /// Behind a `d_step`.
    fn leave(&mut self, id: Id) -> Lowered<u32> {
        let element = &self.body.elements[id];
        let keep = match element.status & ATOMIC {
            0 => Keep::Nothing,
            _ => Keep::Atomic,
        };
        match element.next {
            Some(next) => {
                let target = self.hunt(next, element.status)?;
                Ok(self.number(target, keep))
            }
            None => Ok(self.number(id, keep)),
        }
    }

    /// Labels, and what they mean, on the locations.
    fn finish(self, lower: &Lower<'_>, entry: u32) -> Graph {
        let mut marks = vec![0u8; self.body.elements.len()];
        for label in &self.body.labels {
            let name = lower.text(label.name.name);
            let bits = [("end", 1), ("accept", 2), ("progress", 4)];
            for (prefix, bit) in bits {
                if name.starts_with(prefix) {
                    marks[label.element] |= bit;
                }
            }
        }
        // What a block is, its first element is too, which comes before it. A choice is a place of its own: that it begins with
        // another choice, to which a loop comes back, makes no difference to that one.
        for id in (0..marks.len()).rev() {
            let element = &self.body.elements[id];
            let passes = matches!(element.kind, Kind::Atomic | Kind::Block);
            if marks[id] != 0 && passes {
                for part in &element.parts {
                    if let Some(start) = self.body.start(*part) {
                        marks[start] |= marks[id];
                    }
                }
            }
        }
        let mut locations = self.locations;
        // A label that no process can come to is there all the same.
        let mut labels: FxHashMap<Sym, Vec<u32>> = FxHashMap::default();
        for label in &self.body.labels {
            labels.entry(label.name.name).or_default();
        }
        let mut stop = None;
        for (number, (id, keep)) in self.keys.iter().enumerate() {
            let (location, element) = (&mut locations[number], &self.body.elements[*id]);
            let is_stop = matches!(element.kind, Kind::Stop);
            if is_stop && *keep == Keep::Nothing {
                stop = Some(number as u32);
            }
            location.end = is_stop || marks[*id] & 1 != 0;
            location.accept = marks[*id] & 2 != 0;
            location.progress = marks[*id] & 4 != 0;
            for label in &element.labels {
                location.labels.push(lower.text(label.name).to_owned());
                labels.entry(label.name).or_default().push(number as u32);
            }
        }
        Graph {
            locations,
            entry,
            stop,
            labels,
            elements: (self.written == self.body.elements.len()).then_some(self.written),
        }
    }
}

fn late_rendezvous(element: &Element) -> Diagnostic {
    let message = "a rendezvous in one of the ways that a `d_step` can begin with";
    Diagnostic::error(element.span, message)
        .label("the channel holds no messages, or may hold none")
        .help("begin the `d_step` with the receive, or with a choice that has its receives first and stands alone")
}

/// When an action can be done, as an expression.
fn executable(action: &Action) -> Expr {
    match action {
        Action::Guard(guard) => guard.clone(),
        Action::Send { channel, .. } => not(Expr::Full(Box::new(channel.clone()))),
        Action::Receive {
            channel,
            patterns,
            any,
            ..
        } => Expr::Poll {
            channel: Box::new(channel.clone()),
            patterns: patterns
                .iter()
                .map(|p| match p {
                    Pattern::Match(value) => Pattern::Match(value.clone()),
                    _ => Pattern::Ignore,
                })
                .collect(),
            any: *any,
        },
        _ => Expr::Const(1),
    }
}
