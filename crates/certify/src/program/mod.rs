//! Evidence about programs.
//!
//! A violation is shown by a run, which is followed step by step. That nothing is wrong is shown by
//! examining all states; an engine has reductions for that, and here there are none: one state after the
//! other by the plain semantics, so a mistake in a reduction shows. Violations that are infinite runs are followed in
//! `lasso`; that there is none is shown by numbers for all states, checked in [`ranks`].

mod automaton;
pub mod file;
mod lasso;
mod live_file;
mod ranks;
mod run_file;

pub use automaton::automaton;
pub use ranks::{live, ranks};

use std::collections::{BTreeSet, VecDeque};

use suppose_control::Context;
use suppose_model::program::semantics::{Refused, State, replay};
use suppose_model::program::{
    Action, Claim, Edge, Expr, Init, Pattern, Program, Question, Scope, StepResult, Trace, Type,
    Violation,
};

use crate::rejection::{Place, Rejection};

/// Is this a run of the program, and is at its end what it says?
pub fn run(program: &Program, trace: &Trace, cx: &Context) -> Result<(), Rejection> {
    if trace.cycle.is_some() {
        return lasso::lasso(program, trace, cx);
    }
    match replay(program, trace, cx) {
        Ok(_) => Ok(()),
        Err(Refused::At { step, why }) => Err(Rejection::at(Place::Step(step), why)),
        Err(Refused::Stopped(stopped)) => Err(stopped.into()),
    }
}

/// Can no statement of the program fail, whatever the state? Then no assertion fails, and there is no other run-time error.
///
/// This is read off the text alone: there is no assertion that is not a constant truth, no `d_step` (which must not block),
/// no `run` (of which there may be too many), no `xr` or `xs`, nothing that could be an index out of range, a division by zero or a
/// process that is not there, and every channel is one for life, with messages of the right length.
pub fn cannot_fail(program: &Program) -> bool {
    let safe = |e: &Expr| !e.may_fail();
    program.proctypes.iter().all(|text| {
        let edges = text.locations.iter().flat_map(|l| &l.edges);
        let inits = text.locals.iter().map(|slot| &slot.init);
        text.provided.as_ref().is_none_or(safe)
            && text.promises.is_empty()
            && inits.into_iter().all(|init| matches!(init, Init::Value(_)))
            && edges
                .into_iter()
                .all(|edge| !edge.d_step && cannot_go_wrong(program, &edge.action))
    })
}

fn cannot_go_wrong(program: &Program, action: &Action) -> bool {
    let safe = |e: &Expr| !e.may_fail();
    let place = |p: &suppose_model::program::Place| safe(&Expr::Load(p.clone()));
    match action {
        Action::Else | Action::End => true,
        Action::Guard(test) => safe(test),
        Action::Assert(test) => matches!(test, Expr::Const(value) if *value != 0),
        Action::Assign(to, value) => place(to) && safe(value),
        Action::Send {
            channel, values, ..
        } => fixed_channel(program, channel) == Some(values.len()) && values.iter().all(safe),
        Action::Receive {
            channel, patterns, ..
        } => {
            let pattern = |p: &Pattern| match p {
                Pattern::Match(value) => safe(value),
                Pattern::Store(to) => place(to),
                Pattern::Ignore => true,
            };
            fixed_channel(program, channel) == Some(patterns.len()) && patterns.iter().all(pattern)
        }
        Action::Run { .. } | Action::SetPriority(..) => false,
    }
}

/// How many fields the messages of this channel have, if it is a shared one and the same forever.
fn fixed_channel(program: &Program, channel: &Expr) -> Option<usize> {
    let Expr::Load(place) = channel else {
        return None;
    };
    let slot = program.globals.get(place.base as usize)?;
    let Init::Channel(kind) = slot.init else {
        return None;
    };
    let written = |edge: &Edge| match &edge.action {
        Action::Assign(to, _) => to.ty == Type::Chan,
        Action::Receive { patterns, .. } => patterns
            .iter()
            .any(|p| matches!(p, Pattern::Store(to) if to.ty == Type::Chan)),
        Action::Run { result, .. } => result.as_ref().is_some_and(|to| to.ty == Type::Chan),
        _ => false,
    };
    let mut edges = program.proctypes.iter().flat_map(|p| &p.locations);
    let fixed = place.scope == Scope::Global
        && place.indices.is_empty()
        && !edges.any(|l| l.edges.iter().any(written));
    let kind = program.channels.get(kind as usize)?;
    fixed.then_some(kind.fields.len())
}

/// The result of exploring all states with the plain semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reexploration {
    /// All states were explored, without a violation.
    All {
        /// The number of them.
        states: u64,
    },
    /// There are more states than the limit.
    TooMany,
    /// A `d_step` exceeds the limit on its steps.
    TooLong,
}

/// Explores all states, up to a limit. A violation is a rejection.
pub fn exhaustive(
    program: &Program,
    question: Question,
    limit: u64,
    cx: &Context,
) -> Result<Reexploration, Rejection> {
    let claim = match question {
        Question::Claim(number) => match program.claims.get(number) {
            Some(claim) if claim.events.is_some() => None,
            Some(claim) => Some(claim),
            None => return Err(Rejection::at(Place::Whole, "there is no such claim")),
        },
        _ => None,
    };
    let initial = match State::at_start(program, question) {
        Ok(initial) => initial,
        Err(wrong) if question == Question::Assertions => {
            return Err(Rejection::at(Place::Whole, wrong.words()));
        }
        // A program that cannot start has no states.
        Err(_) => return Ok(Reexploration::All { states: 0 }),
    };
    let mut search = Search {
        program,
        question,
        claim,
        seen: BTreeSet::new(),
        open: VecDeque::new(),
        cut: false,
    };
    search.reach(initial, claim.map_or(0, |c| c.entry));
    while let Some((state, at)) = search.open.pop_front() {
        if search.seen.len() as u64 > limit {
            return Ok(Reexploration::TooMany);
        }
        cx.check()?;
        search.expand(&state, at)?;
    }
    if search.cut {
        return Ok(Reexploration::TooLong);
    }
    Ok(Reexploration::All {
        states: search.seen.len() as u64,
    })
}

struct Search<'a> {
    program: &'a Program,
    question: Question,
    claim: Option<&'a Claim>,
    /// States of the program with the place of the claim.
    seen: BTreeSet<(State, u32)>,
    open: VecDeque<(State, u32)>,
    /// Was a step not followed to its end?
    cut: bool,
}

impl Search<'_> {
    fn reach(&mut self, state: State, at: u32) {
        let pair = (state, at);
        if !self.seen.contains(&pair) {
            self.seen.insert(pair.clone());
            self.open.push_back(pair);
        }
    }

    /// The claim first, then the system.
    fn expand(&mut self, state: &State, at: u32) -> Result<(), Rejection> {
        let mut places = vec![at];
        if let (Some(claim), None) = (self.claim, state.alone) {
            let look = state.claim_looks(self.program, claim, at);
            if let Some(violation) = look.wrong {
                return Err(wrong(violation.words()));
            }
            places = look.ways.into_iter().map(|(_, target)| target).collect();
            places.sort_unstable();
            places.dedup();
            if places.contains(&claim.end) {
                return Err(wrong("the claim comes to its end"));
            }
        }
        let moves = state.moves(self.program);
        if moves.is_empty() {
            return self.stopped(state, &places);
        }
        for step in moves {
            match step.outcome {
                StepResult::State(next) => {
                    for place in &places {
                        self.reach(next.clone(), *place);
                    }
                }
                StepResult::Wrong(violation)
                    if self.question == Question::Assertions || violation.is_event() =>
                {
                    return Err(wrong(violation.words()));
                }
                StepResult::Wrong(_) => {}
                StepResult::Unfinished => self.cut = true,
            }
        }
        Ok(())
    }

    /// Where the system stops, only the claim continues.
    fn stopped(&mut self, state: &State, places: &[u32]) -> Result<(), Rejection> {
        if self.question == Question::EndStates && !state.is_valid_end(self.program) {
            return Err(wrong("all processes stop, and not all are at an end"));
        }
        if state.misses_events(self.program) {
            return Err(wrong(Violation::EventsMissing.words()));
        }
        if self.claim.is_some() {
            for place in places {
                self.reach(state.clone(), *place);
            }
        }
        Ok(())
    }
}

fn wrong(what: &str) -> Rejection {
    Rejection::at(Place::Whole, format!("in a state that was missed, {what}"))
}
