//! The owners of variables and the number of processes, estimated from some runs.
//!
//! A proof needs no reason for a split: any is sound, and only its cost differs. So nothing is proved here. An element of an array is put into
//! the local state of the one process that writes it by an index of its own (`flag[_pid]`); if there is none, of the only
//! process that was seen to write it.

use crate::random::Random;
use suppose_model::program::semantics::State;
use suppose_model::program::symmetry::InferredSymmetry;
use suppose_model::program::views::Split;
use suppose_model::program::{Action, Expr, Program, Question, Scope, Slot, StepResult, Type};

/// So many runs are looked at.
const RUNS: u64 = 24;
/// So many steps of each.
const STEPS: usize = 250;

/// A split without exposed predicates.
pub(crate) fn split(program: &Program, question: Question) -> Split {
    let mut seen = Seen {
        writers: vec![Writer::Nobody; program.globals.len()],
        owners: vec![Writer::Nobody; program.globals.len()],
        processes: 2,
    };
    for run in 0..RUNS {
        walk(program, question, run, &mut seen);
    }
    let owner = |(number, slot): (usize, &Slot)| {
        let may = slot.name.contains('[') && !slot.hidden && slot.ty != Type::Chan;
        match (seen.owners[number], seen.writers[number]) {
            (Writer::One(place), _) | (Writer::Nobody, Writer::One(place)) if may => Some(place),
            _ => None,
        }
    };
    Split {
        places: seen.processes as u32,
        owners: program.globals.iter().enumerate().map(owner).collect(),
        exposed: Vec::new(),
        merge: true,
    }
}

/// A split for processes that can be exchanged: each owns its elements of arrays.
pub(crate) fn alike(program: &Program, found: &InferredSymmetry) -> Split {
    let last = found.symmetry.first + found.symmetry.count;
    let owner = |element: &Option<u32>| element.filter(|place| *place < last);
    Split {
        places: program.start.len() as u32,
        owners: found.elements.iter().map(owner).collect(),
        exposed: Vec::new(),
        merge: true,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Nobody,
    One(u32),
    Several,
}

impl Writer {
    fn and(self, by: u32) -> Writer {
        match self {
            Writer::Nobody => Writer::One(by),
            Writer::One(one) if one == by => self,
            _ => Writer::Several,
        }
    }
}

struct Seen {
    /// Who changed each slot.
    writers: Vec<Writer>,
    /// Who wrote it by an index of its own.
    owners: Vec<Writer>,
    processes: usize,
}

/// One run: a process is drawn, then one of its steps.
fn walk(program: &Program, question: Question, seed: u64, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let Ok(mut state) = State::at_start(program, question) else {
        return;
    };
    seen.processes = seen.processes.max(state.processes.len());
    let mut idle = 0;
    for _ in 0..STEPS {
        let Some((mover, chosen)) = random.step(program, &state, &mut idle) else {
            return;
        };
        let StepResult::State(next) = chosen.outcome else {
            return;
        };
        let writer = chosen.step.partner.map_or(mover, |(partner, _)| partner);
        seen.note(&state, &next, writer);
        seen.note_own(program, &state, mover, chosen.step.edges.first());
        state = next;
    }
}

impl Seen {
    fn note(&mut self, before: &State, after: &State, by: u32) {
        self.processes = self.processes.max(after.processes.len());
        let values = before.globals.iter().zip(&after.globals);
        for (writer, (old, new)) in self.writers.iter_mut().zip(values) {
            if old != new {
                *writer = writer.and(by);
            }
        }
    }
}

impl Seen {
    /// An assignment to an element whose index is the process's own.
    fn note_own(&mut self, program: &Program, state: &State, by: u32, edge: Option<&u32>) {
        let Some(process) = state.processes.get(by as usize) else {
            return;
        };
        let text = &program.proctypes[process.proctype as usize];
        let here = &text.locations[process.location as usize];
        let action = edge.and_then(|edge| here.edges.get(*edge as usize));
        let Some(Action::Assign(place, _)) = action.map(|edge| &edge.action) else {
            return;
        };
        let varies = |e: &Expr| match e {
            Expr::Const(_) | Expr::Pid | Expr::Binary(..) => false,
            Expr::Load(of) => {
                of.scope == Scope::Global || !of.indices.is_empty() || of.base >= text.parameters
            }
            _ => true,
        };
        if place.scope == Scope::Local || place.indices.iter().any(|i| i.expr.any(varies)) {
            return;
        }
        if let Ok(slot) = state.slot(program, Some(by as usize), false, place) {
            self.owners[slot] = self.owners[slot].and(by);
        }
    }
}
