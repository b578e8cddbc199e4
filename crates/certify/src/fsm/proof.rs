//! Why a property holds.

use suppose_aig::{Lit, SatResult};
use suppose_model::fsm::{Decisions, Proof, Question, System, VarId};

use super::frames::Frames;
use super::{Accepted, CheckLimits, Refusal, abstraction, flaw};
use crate::rejection::{Place, Rejection};

/// Accepts a proof that the property holds.
pub fn check_proof(
    system: &System,
    question: &Question,
    proof: &Proof,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    limits.poll()?;
    let mut frames = Frames::new(system);
    check_obligations(&mut frames, limits)?;
    match proof {
        Proof::Invariant(set) => invariant(&mut frames, question, set, limits),
        Proof::Induction(depth) => induction(&mut frames, question, *depth as usize, limits),
        Proof::Abstraction(clusters) => abstraction::check(frames, question, clusters, limits),
    }
}

/// Runs of more steps are not unrolled.
const DEEPEST: usize = 2_000;

/// The claim holds in the first this many states of all runs, and after this many in a row in which it does.
fn induction(
    frames: &mut Frames<'_>,
    question: &Question,
    depth: usize,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    if depth == 0 {
        return flaw("induction over no step shows nothing");
    }
    if depth > DEEPEST {
        return Err(Refusal::TooLarge(format!("more than {DEEPEST} steps")));
    }
    let (mut first, mut any) = (limits.solver(), limits.solver());
    let init = frames.init(0);
    first.add(frames.circuit(), &[init]);
    for frame in 0..=depth {
        let Some(claim) = frames.claim(question, frame) else {
            return flaw("the property says more than an invariant can show");
        };
        let mut path = vec![frames.state(frame)];
        if frame > 0 {
            path.push(frames.step(frame - 1));
        }
        let mut asked = vec![!claim.holds];
        if claim.of_steps {
            asked.extend([frames.step(frame), frames.state(frame + 1)]);
        }
        for lit in path {
            first.add(frames.circuit(), &[lit]);
            any.add(frames.circuit(), &[lit]);
        }
        let (solver, why) = match frame < depth {
            true => (
                &mut first,
                "the claim is false in one of the first states of a run",
            ),
            false => (&mut any, "the claim does not follow from the states before"),
        };
        if solver.solve(frames.circuit(), &asked)? == SatResult::Sat {
            return flaw(why);
        }
        any.add(frames.circuit(), &[claim.holds]);
    }
    Ok(Accepted::Invariant {
        gates: frames.circuit().len(),
        conflicts: first.conflicts() + any.conflicts(),
    })
}

/// No expression fails, whatever the values of the variables are.
pub(super) fn check_obligations(
    frames: &mut Frames<'_>,
    limits: &CheckLimits,
) -> Result<(), Refusal> {
    let system = frames.system();
    let mut solver = limits.solver();
    for obligation in &system.obligations {
        let mut all = vec![frames.valid(0), frames.valid(1)];
        all.push(!frames.truth(obligation.claim, 0));
        if solver.solve(frames.circuit(), &all)? == SatResult::Sat {
            let why = "an expression can fail";
            return Err(Rejection::at(Place::System, why).into());
        }
    }
    Ok(())
}

/// The set of states of a frame; fails if it mentions anything but those variables.
pub(super) fn set_of(
    frames: &mut Frames<'_>,
    set: &Decisions,
    frame: usize,
    allowed: impl Fn(VarId) -> bool,
) -> Result<Lit, Refusal> {
    if set.nodes.iter().any(|node| !allowed(node.var)) {
        return flaw("a set speaks of a variable that it must not speak of");
    }
    match frames.decisions(set, frame) {
        Ok(lit) => Ok(lit),
        Err(why) => flaw(why),
    }
}

fn invariant(
    frames: &mut Frames<'_>,
    question: &Question,
    set: &Decisions,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    let system = frames.system();
    let Some(claim) = frames.claim(question, 0) else {
        return flaw("the property says more than an invariant can show");
    };
    let known = |var: VarId| var.index() < system.variables.len() && !system.is_input(var);
    let now = set_of(frames, set, 0, known)?;
    let after = set_of(frames, set, 1, known)?;
    let (state, next) = (frames.state(0), frames.state(1));
    let (init, step) = (frames.init(0), frames.step(0));
    let mut solver = limits.solver();
    let mut impossible = |all: &[Lit], why: &str| match solver.solve(frames.circuit(), all)? {
        SatResult::Unsat => Ok(()),
        SatResult::Sat => flaw(why),
    };
    impossible(&[state, init, !now], "an initial state is not in the set")?;
    impossible(&[state, now, step, next, !after], "a step leaves the set")?;
    match claim.of_steps {
        false => impossible(
            &[state, now, !claim.holds],
            "the claim is false in a state of the set",
        )?,
        true => impossible(
            &[state, now, step, next, !claim.holds],
            "the claim is false in a step from a state of the set",
        )?,
    }
    Ok(Accepted::Invariant {
        gates: frames.circuit().len(),
        conflicts: solver.conflicts(),
    })
}
