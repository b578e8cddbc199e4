//! Runs as counterexamples.

use suppose_aig::{Lit, SatResult};
use suppose_model::fsm::{ExprId, Fairness, Question, Shows, Simulator, State, System, Trace};

use super::frames::Frames;
use super::lasso::Run;
use super::linear::{Cores, Refused};
use super::proof::check_obligations;
use super::{Accepted, CheckLimits, Meaning, Refusal, fault, flaw, total};
use crate::rejection::{Place, Rejection};

/// Accepts a run of the system that shows that the property is violated, as much as it claims to show.
pub fn check_run(
    system: &System,
    question: &Question,
    trace: &Trace,
    shows: Shows,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    let mut simulator = Simulator::new(system, limits.tries);
    replay(&mut simulator, trace, limits)?;
    let steps = trace.inputs.len();
    let mut run = Run {
        system,
        simulator,
        trace,
    };
    let meaning = match (shows, question) {
        (_, Question::ComputeMin(..) | Question::ComputeMax(..)) => {
            return flaw("the property asks for a number, which no run can violate");
        }
        (_, Question::Invariant(expr)) => invariant(&mut run, *expr)?,
        (Shows::Part, _) => Meaning::Part,
        (Shows::All, Question::Ltl(formula)) => {
            let (cores, top) = match Cores::of(&system.formulas, *formula) {
                Ok(cores) => cores,
                Err(Refused::Foreign) => return flaw("this is not an LTL formula"),
                Err(Refused::TooLarge) => return too_long(),
            };
            if trace.loops_to.is_none() {
                return flaw("a run that violates a formula of LTL has a loop");
            }
            if !run.is_fair().map_err(|it| fault(system, it))? {
                return flaw("the loop is not fair");
            }
            match run
                .linear(&cores.all, top)
                .map_err(|it| fault(system, it))?
            {
                Some(false) => Meaning::Violates,
                Some(true) => return flaw("the formula is true on the run"),
                None => return too_long(),
            }
        }
        (Shows::All, Question::Ctl(formula)) => {
            let fair = run.is_fair().map_err(|it| fault(system, it))?;
            if !run
                .refutes(*formula, fair)
                .map_err(|it| fault(system, it))?
            {
                return flaw("the run does not show that the formula is false in its first state");
            }
            match fair || continues_fairly(system, trace, limits)? {
                true => Meaning::Violates,
                false => Meaning::IfFairRunContinues,
            }
        }
    };
    Ok(Accepted::Run { steps, meaning })
}

fn too_long() -> Result<Accepted, Refusal> {
    Err(Refusal::TooLarge(
        "the run and the formula are too long".to_owned(),
    ))
}

/// Every state and step is one of the system, and a loop ends where it begins.
pub(super) fn replay(
    simulator: &mut Simulator<'_>,
    trace: &Trace,
    limits: &CheckLimits,
) -> Result<(), Refusal> {
    let system = simulator.system();
    let wrong = |step: usize, why: &str| Err(Refusal::from(Rejection::at(Place::Step(step), why)));
    if trace.states.len() != trace.inputs.len() + 1 {
        return flaw("a run has one more state than steps");
    }
    if !simulator
        .is_initial(&trace.states[0])
        .map_err(|it| fault(system, it))?
    {
        return wrong(0, "the first state is not initial");
    }
    for (step, inputs) in trace.inputs.iter().enumerate() {
        limits.poll()?;
        let (from, to) = (&trace.states[step], &trace.states[step + 1]);
        let typed = system.inputs().zip(inputs.iter());
        let mut typed = typed.map(|(var, value)| system.variable(var).ty.contains(value));
        if inputs.len() != system.inputs().count() || !typed.all(|it| it) {
            return wrong(step, "an input has no value of its type");
        }
        if !simulator
            .is_step(from, inputs, to)
            .map_err(|it| fault(system, it))?
        {
            return wrong(step, "there is no such step");
        }
    }
    match trace.loops_to {
        Some(at) if at >= trace.inputs.len() => flaw("the loop has no step"),
        Some(at) if trace.states.last() != trace.states.get(at) => {
            flaw("the loop does not end where it begins")
        }
        _ => Ok(()),
    }
}

/// Is the invariant false in the last state, or in the last step if it mentions steps?
fn invariant(run: &mut Run<'_>, expr: ExprId) -> Result<Meaning, Refusal> {
    let system = run.system;
    let last = run.trace.inputs.len();
    let at = match speaks_of_steps(system, expr) {
        true if last == 0 => return flaw("the invariant is about steps, and the run has none"),
        true => last - 1,
        false => last,
    };
    match run.holds(expr, at).map_err(|it| fault(system, it))? {
        false => Ok(Meaning::Violates),
        true => flaw("the invariant is true at the end of the run"),
    }
}

/// Does an expression have a value in steps only?
pub(super) fn speaks_of_steps(system: &System, expr: ExprId) -> bool {
    let support = system.exprs.support(expr);
    !support.next.is_empty() || support.current.iter().any(|v| system.is_input(*v))
}

/// Is every run infinite and fair, or is there a fair loop a few steps from the last state?
fn continues_fairly(system: &System, trace: &Trace, limits: &CheckLimits) -> Result<bool, Refusal> {
    let Some(last) = trace.states.last() else {
        return Ok(false);
    };
    let mut frames = Frames::new(system);
    if system.fairness.is_empty() && total::has_steps_by_construction(system) {
        check_obligations(&mut frames, limits)?;
        return Ok(true);
    }
    let mut solver = limits.solver();
    let mut assumed = start(&mut frames, system, last);
    for length in 1..=limits.further {
        assumed.push(frames.step(length - 1));
        assumed.push(frames.state(length));
        let closed = closed(&mut frames, system, length);
        let mut all = assumed.clone();
        all.push(closed);
        if solver.solve(frames.circuit(), &all)? == SatResult::Sat {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The frame 0 is that state.
pub(super) fn start(frames: &mut Frames<'_>, system: &System, state: &State) -> Vec<Lit> {
    let value = |v| &state[system.variable(v).slot];
    system
        .state_vars()
        .map(|var| frames.has_value(var, 0, value(var)))
        .collect()
}

/// The last of this many steps leads back to an earlier frame, and what lies between is fair.
fn closed(frames: &mut Frames<'_>, system: &System, length: usize) -> Lit {
    let mut any = Lit::FALSE;
    // What was met from some frame on, going backwards.
    let mut met: Vec<Vec<Lit>> = Vec::new();
    for at in (0..length).rev() {
        let now: Vec<Lit> = system
            .fairness
            .iter()
            .flat_map(|fairness| match fairness {
                Fairness::Justice(e) => vec![*e],
                Fairness::Compassion(p, q) => vec![*p, *q],
            })
            .map(|expr| frames.truth(expr, at))
            .collect();
        let before = met
            .last()
            .cloned()
            .unwrap_or_else(|| vec![Lit::FALSE; now.len()]);
        let c = frames.circuit_mut();
        let here: Vec<Lit> = now.iter().zip(before).map(|(a, b)| c.or(*a, b)).collect();
        let mut good = same(frames, system, at, length);
        let mut places = here.iter();
        for fairness in &system.fairness {
            let fulfilled = match fairness {
                Fairness::Justice(_) => places.next().copied().unwrap_or(Lit::FALSE),
                Fairness::Compassion(..) => {
                    let first = places.next().copied().unwrap_or(Lit::TRUE);
                    let second = places.next().copied().unwrap_or(Lit::FALSE);
                    frames.circuit_mut().implies(first, second)
                }
            };
            good = frames.circuit_mut().and(good, fulfilled);
        }
        any = frames.circuit_mut().or(any, good);
        met.push(here);
    }
    any
}

fn same(frames: &mut Frames<'_>, system: &System, a: usize, b: usize) -> Lit {
    let mut same = Lit::TRUE;
    for var in system.state_vars() {
        let (x, y) = (frames.bits(var, a), frames.bits(var, b));
        for (x, y) in x.into_iter().zip(y) {
            let c = frames.circuit_mut();
            let here = c.iff(x, y);
            same = c.and(same, here);
        }
    }
    same
}
