//! Evidence about programs.
//!
//! A violation is shown by a run, which is followed step by step. That nothing is wrong is shown by a list of all states, without
//! any reduction, which is closed under the steps of the plain semantics ([`visited()`]); so a mistake in a reduction shows. Violations that are infinite runs are followed in
//! `lasso`; that there is none is shown by numbers for all states, checked in [`ranks`].

mod automaton;
pub mod file;
mod lasso;
mod live_file;
mod ranks;
mod run_file;
mod steps;
mod visited;
mod visited_file;

pub use automaton::automaton;
pub use ranks::{live, ranks};
pub use visited::{invariant, visited};

use suppose_control::Context;
use suppose_model::program::semantics::{Refused, replay};
use suppose_model::program::{Action, Edge, Expr, Init, Pattern, Program, Scope, Trace, Type};

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
