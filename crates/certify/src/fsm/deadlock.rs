//! Deadlock, and freedom from it.

use suppose_aig::SatResult;
use suppose_model::fsm::{Proof, Simulator, System, Trace};

use super::frames::Frames;
use super::proof::{check_obligations, set_of};
use super::run::{replay, start};
use super::{Accepted, CheckLimits, Meaning, Refusal, flaw, small, total};

/// Accepts a run to a state without a step: the run is replayed, and the solver finds no values of inputs and of a next state with which
/// a step would lead on.
pub fn check_deadlock(
    system: &System,
    trace: &Trace,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    limits.poll()?;
    replay(&mut Simulator::new(system, limits.tries), trace, limits)?;
    let (Some(last), None) = (trace.states.last(), trace.loops_to) else {
        return flaw("a run to a deadlock has no loop");
    };
    let mut frames = Frames::new(system);
    check_obligations(&mut frames, limits)?;
    let mut asked = start(&mut frames, system, last);
    asked.extend([frames.step(0), frames.state(1)]);
    let mut solver = limits.solver();
    match solver.solve(frames.circuit(), &asked)? {
        SatResult::Sat => flaw("there is a step from the last state"),
        SatResult::Unsat => Ok(Accepted::Run {
            steps: trace.inputs.len(),
            meaning: Meaning::Violates,
        }),
    }
}

/// Accepts a proof that no reachable state is without a step. There is one kind: the empty set is an invariant, for there is no initial
/// state. That every state of another set has a step is no question to a solver.
pub fn check_no_initial_state(
    system: &System,
    proof: &Proof,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    limits.poll()?;
    let Proof::Invariant(set) = proof else {
        return flaw("an abstraction has steps that the system does not have");
    };
    let mut frames = Frames::new(system);
    check_obligations(&mut frames, limits)?;
    let state_vars = |var| system.state_vars().any(|known| known == var);
    let inside = set_of(&mut frames, set, 0, state_vars)?;
    let (state, init) = (frames.state(0), frames.init(0));
    let mut solver = limits.solver();
    for (asked, why) in [
        (
            [state, inside],
            "the set is not empty, and what it has may get stuck",
        ),
        ([state, init], "there is an initial state"),
    ] {
        if solver.solve(frames.circuit(), &asked)? == SatResult::Sat {
            return flaw(why);
        }
    }
    Ok(Accepted::Invariant {
        gates: frames.circuit().len(),
        conflicts: solver.conflicts(),
    })
}

/// Accepts that no reachable state is without a step if that follows from the way the system is written, or if all of them, within the
/// limits, have one.
pub fn check_deadlock_free(system: &System, limits: &CheckLimits) -> Result<Accepted, Refusal> {
    limits.poll()?;
    if total::has_steps_by_construction(system) {
        let mut frames = Frames::new(system);
        check_obligations(&mut frames, limits)?;
        return Ok(Accepted::Invariant {
            gates: frames.circuit().len(),
            conflicts: 0,
        });
    }
    let graph = small::explore(&mut Simulator::new(system, limits.tries), limits)?;
    match graph.deadlocks().is_empty() {
        true => Ok(Accepted::Explored {
            states: graph.states.len(),
            edges: graph.edges.iter().map(Vec::len).sum(),
        }),
        false => flaw("there is a reachable state without a step"),
    }
}
