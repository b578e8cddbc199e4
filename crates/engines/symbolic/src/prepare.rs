//! What to look at before any property: can an expression fail, is there an initial state, can the system get stuck?

use suppose_aig::{Frames, SatResult, Solver};
use suppose_control::{Context, Stopped};
use suppose_model::fsm::{System, Trace, VarId};

use crate::check::Checker;
use crate::relation::RelationOptions;

/// An obligation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number in [`System::obligations`].
    pub obligation: usize,
    /// Values under which it is not, each with what has it: `x`, `next(x)`.
    pub values: Vec<(String, String)>,
}

/// The first obligation that is not met under all valuations. Asks a SAT solver, as what can fail may be arithmetic that has no small
/// decision diagram.
pub fn obligations(system: &System, cx: &Context) -> Result<Option<Broken>, Stopped> {
    let mut frames = Frames::new(system);
    let mut solver = Solver::under(cx);
    for (number, obligation) in system.obligations.iter().enumerate() {
        cx.check()?;
        let support = system.exprs.support(obligation.claim);
        let now = support.current.iter().map(|v| (*v, 0));
        let later = support.next.iter().map(|v| (*v, 1));
        let places: Vec<(VarId, usize)> = now.chain(later).collect();
        let mut asked = vec![!frames.truth(obligation.claim, 0)];
        asked.extend(places.iter().map(|(v, frame)| frames.valid_var(*v, *frame)));
        if solver.solve(frames.circuit(), &asked)? == SatResult::Unsat {
            continue;
        }
        let model = solver.model(frames.circuit());
        let shown = |(var, frame): (VarId, usize)| {
            let value = frames.value(var, frame, &|lit| model.holds(lit));
            let name = &system.variable(var).name;
            let name = match frame {
                0 => name.clone(),
                _ => format!("next({name})"),
            };
            (name, system.symbols.show(&value))
        };
        return Ok(Some(Broken {
            obligation: number,
            values: places.into_iter().map(shown).collect(),
        }));
    }
    Ok(None)
}

/// Whether the runs that properties speak of are there.
#[derive(Clone, Debug)]
pub enum Deadlock {
    /// There is an initial state, and a step from every reachable one.
    Free,
    /// There is no initial state.
    NoInitialState,
    /// A run to a state without a step. It is one of the part of the system that is given with it.
    Reachable(Trace, Box<System>),
}

/// Looks for an initial state, and for a reachable state without a step. Only constraints, and assignments in a circle, can be in
/// the way of either, so what none of them depends on is left out; often there is nothing left.
pub fn deadlock(
    system: &System,
    options: RelationOptions,
    cx: &Context,
) -> Result<Deadlock, Stopped> {
    let part = system.constrained().system;
    let constraints = part.init.len() + part.invariant.len() + part.transition.len();
    if constraints == 0 && part.variables.is_empty() {
        return Ok(Deadlock::Free);
    }
    let mut checker = Checker::new(&part, options, cx)?;
    if checker.relation().init().is_false() {
        return Ok(Deadlock::NoInitialState);
    }
    let relation = checker.relation();
    let alive = relation.preimage(relation.states())?;
    let stuck = relation.states().minus(&alive)?;
    if stuck.is_false() {
        return Ok(Deadlock::Free);
    }
    let found = checker.path_to(&stuck)?;
    Ok(match found {
        Some(trace) => Deadlock::Reachable(trace, Box::new(part.clone())),
        None => Deadlock::Free,
    })
}
