//! Steps that concern nobody else, taken at once.
//!
//! A process that comes to a state goes on as long as it has a step that touches nothing shared and
//! that may come first without loss. The states passed are not kept. Such a step is
//!
//! 1. the only one there is, or
//! 2. one that returns to its location and that nothing else the process can do before it depends
//!    on: with `D` the variables that the step looks at or changes, everything else that is reachable
//!    from the location while `D` is as it is either does not touch `D`, or is behind a
//!    condition over `D` alone that is false.
//!
//! In the second case let `t` be any state that the process can come to from `s` without the step, and
//! `t'` the same with `D` as it is after the step. What `t` can do, `t'` can, and leads to such a pair
//! again; or it is the step itself, and leads to `t'`. So `s` and the state after the step have the same
//! traces, and properties of traces are all that networks are asked for. A chain of such steps that
//! comes back to itself would put everything else off forever, and is not followed.

use std::rc::Rc;

use suppose_model::program::{Action, Edge, Expr, Keep, Pattern, Place, Program, Scope};

use super::super::process::Effect;
use super::super::residual::{Local, View};
use super::super::shape::Shape;
use super::found::step;
use super::table::List;
use super::{Explorer, Map};

/// Longer chains are not followed.
const LONGEST: usize = 1_000;

/// What is known of the locations of one process.
#[derive(Clone, Debug, Default)]
pub struct AmpleSets {
    locations: Vec<Option<Rc<Here>>>,
    /// By location, edge and the values of what the step touches: may it come first?
    verdicts: Map<(u32, u32, Vec<i32>), bool>,
    /// Locations from which a chain of steps did not end: from there nothing is left out.
    restless: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Here {
    /// Is there one edge only, and does it touch nothing shared?
    alone: bool,
    candidates: Vec<Candidate>,
}

/// A step that returns to its location and touches nothing shared.
#[derive(Clone, Debug)]
struct Candidate {
    edge: u32,
    /// What it looks at or changes.
    slots: Vec<usize>,
}

/// What an edge looks at or changes.
#[derive(Clone, Debug, Default)]
struct Touch {
    slots: Vec<usize>,
    shared: bool,
}

/// A process's text, and which slots are its own.
#[derive(Clone, Copy)]
struct Text<'a> {
    program: &'a Program,
    shape: &'a Shape,
    process: usize,
}

impl Touch {
    fn meets(&self, slots: &[usize]) -> bool {
        self.slots.iter().any(|s| slots.contains(s))
    }

    fn within(&self, slots: &[usize]) -> bool {
        !self.shared && self.slots.iter().all(|s| slots.contains(s))
    }
}

impl Text<'_> {
    fn text(&self) -> &suppose_model::program::Proctype {
        &self.program.proctypes[self.shape.proctypes[self.process] as usize]
    }

    fn place(&self, place: &Place, touch: &mut Touch) {
        let mut slots = vec![place.base];
        for index in &place.indices {
            self.expr(&index.expr, touch);
            let range = match index.expr {
                Expr::Const(value) => u32::try_from(value).map_or(0..0, |v| v..v + 1),
                _ => 0..index.bound,
            };
            let more = range.map(|v| v * index.stride);
            slots = more
                .flat_map(|more| slots.iter().map(move |s| s + more))
                .collect();
        }
        for slot in slots.into_iter().map(|s| s as usize) {
            match place.scope {
                Scope::Local => touch.slots.push(slot),
                Scope::Global => match (self.shape.fixed.get(slot), self.shape.owner.get(slot)) {
                    (Some(Some(_)), _) => {}
                    (_, Some(Some((owner, at)))) if *owner == self.process => {
                        touch.slots.push(self.text().locals.len() + at);
                    }
                    _ => touch.shared = true,
                },
            }
        }
    }

    fn expr(&self, expr: &Expr, touch: &mut Touch) {
        let (mut places, mut shared) = (Vec::new(), false);
        expr.visit(&mut |e| match e {
            Expr::Load(place) => places.push(place),
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {}
            _ => shared = true,
        });
        touch.shared |= shared;
        for place in places {
            self.place(place, touch);
        }
    }

    fn touch(&self, edge: &Edge) -> Touch {
        let mut touch = Touch::default();
        match &edge.action {
            Action::Guard(e) | Action::Assert(e) => self.expr(e, &mut touch),
            Action::Assign(place, e) => {
                self.place(place, &mut touch);
                self.expr(e, &mut touch);
            }
            Action::Else => {}
            Action::Send {
                channel, values, ..
            } => {
                self.expr(channel, &mut touch);
                values.iter().for_each(|e| self.expr(e, &mut touch));
                touch.shared = true;
            }
            Action::Receive {
                channel, patterns, ..
            } => {
                self.expr(channel, &mut touch);
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(e) => self.expr(e, &mut touch),
                        Pattern::Store(place) => self.place(place, &mut touch),
                        Pattern::Ignore => {}
                    }
                }
                touch.shared = true;
            }
            Action::Run { .. } | Action::SetPriority(..) | Action::End => touch.shared = true,
        }
        touch
    }

    fn here(&self, location: u32) -> Here {
        let text = self.text();
        let here = &text.locations[location as usize];
        if text.provided.is_some() || here.keep == Keep::DStep {
            return Here::default();
        }
        let is_plain = |e: &Edge| matches!(e.action, Action::Guard(_) | Action::Assign(..));
        let alone = match here.edges.as_slice() {
            [edge] => edge.action != Action::Else && !self.touch(edge).shared,
            _ => false,
        };
        let candidates = here.edges.iter().enumerate();
        let candidates = candidates.filter(|(_, e)| is_plain(e) && here.keep == Keep::Nothing);
        let candidates = candidates.filter_map(|(number, edge)| {
            Some(Candidate {
                edge: number as u32,
                slots: self.returns(location, edge)?,
            })
        });
        Here {
            alone,
            candidates: candidates.collect(),
        }
    }

    /// What an edge and all that can follow it up to the end of its atomic sequence touch, if that is
    /// nothing shared and ends where it began.
    fn returns(&self, location: u32, edge: &Edge) -> Option<Vec<usize>> {
        let locations = &self.text().locations;
        let mut slots = Vec::new();
        let mut seen = vec![false; locations.len()];
        let mut todo = vec![edge];
        while let Some(edge) = todo.pop() {
            let touch = self.touch(edge);
            if touch.shared {
                return None;
            }
            slots.extend(touch.slots);
            let next = &locations[edge.target as usize];
            match next.keep {
                Keep::Nothing if edge.target == location => {}
                Keep::Atomic => {
                    if !std::mem::replace(&mut seen[edge.target as usize], true) {
                        todo.extend(&next.edges);
                    }
                }
                _ => return None,
            }
        }
        slots.sort_unstable();
        slots.dedup();
        Some(slots)
    }

    /// May the step come before all else that the process can do? (See above.)
    fn comes_first(&self, view: &View, location: u32, candidate: &Candidate) -> bool {
        let locations = &self.text().locations;
        let mut seen = vec![false; locations.len()];
        let mut todo = vec![location];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            let here = &locations[at as usize];
            let touches: Vec<Touch> = here.edges.iter().map(|e| self.touch(e)).collect();
            if touches.iter().any(|t| t.meets(&candidate.slots)) {
                let ranks = here.edges.iter().any(|e| e.rank != here.edges[0].rank);
                let other = here.edges.iter().any(|e| e.action == Action::Else);
                if here.keep != Keep::Nothing || ranks || other {
                    return false;
                }
            }
            for (number, (edge, touch)) in here.edges.iter().zip(&touches).enumerate() {
                if at == location && number as u32 == candidate.edge {
                    continue;
                }
                if !touch.meets(&candidate.slots) {
                    todo.push(edge.target);
                    continue;
                }
                let dead = match &edge.action {
                    Action::Guard(test) if touch.within(&candidate.slots) => {
                        view.value(test) == Some(0)
                    }
                    _ => false,
                };
                if !dead {
                    return false;
                }
            }
        }
        true
    }
}

impl Explorer<'_> {
    /// Where a process comes to rest, and by which steps.
    pub(super) fn settle(&mut self, process: usize, local: Local) -> (Local, List) {
        if self.limits.whole || self.calm[process].restless.contains(&local.location) {
            return (local, 0);
        }
        let (mut at, mut steps, mut length) = (local.clone(), 0, 0_usize);
        // Every so often a state is remembered, twice as far on each time: a circle comes back to one.
        let mut mark = local.clone();
        while let Some((next, then)) = self.forced(process, &at, steps) {
            (at, steps) = (next, then);
            length += 1;
            if length > LONGEST || at == mark {
                self.calm[process].restless.push(local.location);
                return (local, 0);
            }
            if length.is_power_of_two() {
                mark = at.clone();
            }
        }
        (at, steps)
    }

    /// The state after a step that may come first, if there is one.
    fn forced(&mut self, process: usize, local: &Local, steps: List) -> Option<(Local, List)> {
        let here = self.here(process, local.location);
        if here.alone {
            return self.walk(process, local, 0, steps);
        }
        for candidate in &here.candidates {
            if let Some(found) = self.walk(process, local, candidate.edge, steps)
                && found.0.location == local.location
                && self.comes_first(process, local, candidate)
            {
                return Some(found);
            }
        }
        None
    }

    fn here(&mut self, process: usize, location: u32) -> Rc<Here> {
        let text = Text {
            program: self.program,
            shape: self.shape,
            process,
        };
        let calm = &mut self.calm[process];
        if calm.locations.is_empty() {
            calm.locations = vec![None; text.text().locations.len()];
        }
        let slot = &mut calm.locations[location as usize];
        Rc::clone(slot.get_or_insert_with(|| Rc::new(text.here(location))))
    }

    fn comes_first(&mut self, process: usize, local: &Local, candidate: &Candidate) -> bool {
        let values = candidate.slots.iter().map(|s| local.values[*s]);
        let key = (local.location, candidate.edge, values.collect());
        if let Some(known) = self.calm[process].verdicts.get(&key) {
            return *known;
        }
        let text = Text {
            program: self.program,
            shape: self.shape,
            process,
        };
        let view = self.view(process, local);
        let verdict = text.comes_first(&view, local.location, candidate);
        self.calm[process].verdicts.insert(key, verdict);
        verdict
    }

    /// Takes an edge and what follows it up to the end of its atomic sequence, if all of it touches
    /// nothing shared and leaves no choice.
    fn walk(
        &mut self,
        process: usize,
        local: &Local,
        edge: u32,
        mut steps: List,
    ) -> Option<(Local, List)> {
        let (mut at, mut edge, mut length) = (local.clone(), edge, 0);
        loop {
            let view = self.view(process, &at);
            let taken = &view.here().edges[edge as usize];
            let Ok(Effect::Quiet(change)) = view.effect(taken) else {
                return None;
            };
            let target = taken.target;
            if let Some((variable, value)) = change {
                variable.fill(&mut at, value);
            }
            at.location = target;
            steps = self.steps.push(steps, step(edge, true));
            length += 1;
            let view = self.view(process, &at);
            match view.keep() {
                Keep::Nothing => return Some((at, steps)),
                Keep::Atomic if length < LONGEST => {}
                _ => return None,
            }
            let choices = view.choices(true).ok()?;
            let [choice] = choices.list.as_slice() else {
                return None;
            };
            if choices.meets || choices.vague || choices.blocked != Expr::Const(0) {
                return None;
            }
            if choice.before != Expr::Const(1) {
                return None;
            }
            edge = choice.edge;
        }
    }
}
