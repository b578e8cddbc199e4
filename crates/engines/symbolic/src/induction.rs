//! Invariants by induction over several steps, with a SAT solver (after Sheeran, Singh and Stalmarck, 2000), and what violates them by
//! unrolling.
//!
//! A claim holds in all reachable states if it holds in the first `k` states of all runs, and in every state (reachable or not) that comes after `k` states in
//! a row in which it does. Data that is handed on through registers has no small diagrams and a claim about it no small
//! inductive invariant; but after as many steps as there are registers all of it came from one place. What differs from the paper: states
//! of the step need not differ from each other, so that the two questions are all there is to check, and a claim that needs more is left to other engines.

use suppose_aig::{Frames, Lit, SatResult, Solver};
use suppose_control::{Context, Event, Stopped};
use suppose_model::fsm::{Proof, Property, Question, Shows, System, Trace};

use crate::answer::{Answer, Effort, SymbolicVerdict};

/// How far to unroll, when nothing else says when to stop.
pub const DEEPEST: u32 = 1_000;

/// Decides a property whose claim is about all states (or steps), with runs of so many steps; none if that is not enough, or if the property
/// says more than that.
pub fn decide(
    system: &System,
    property: &Property,
    deepest: u32,
    cx: &Context,
) -> Result<Option<Answer>, Stopped> {
    let mut unrolled = Unrolled::new(system, cx);
    let Some(of_steps) = unrolled
        .frames
        .claim(&property.question, 0)
        .map(|c| c.of_steps)
    else {
        return Ok(None);
    };
    // A finite run is all it takes to violate an invariant; formulas speak of fair runs without end.
    let violates = matches!(property.question, Question::Invariant(_));
    for depth in 0..=deepest {
        cx.emit(Event::Explored {
            states: u64::from(depth),
            transitions: unrolled.frames.circuit().len() as u64,
        });
        let frame = depth as usize;
        if let Some(trace) = unrolled.violation(&property.question, frame, of_steps)? {
            let found = SymbolicVerdict::Fails(trace, Shows::All);
            return Ok(violates.then(|| answer(found, depth)));
        }
        if unrolled.is_inductive(&property.question, frame, of_steps)? {
            let found = SymbolicVerdict::Holds(Some(Proof::Induction(depth + 1)));
            return Ok(Some(answer(found, depth)));
        }
    }
    Ok(None)
}

/// A shortest run into a state that breaks the claim of a question about all states, in so many steps at most; none if there is none, or
/// if the question is not of that kind.
pub(crate) fn shortest_violation(
    system: &System,
    question: &Question,
    most: usize,
    cx: &Context,
) -> Result<Option<Trace>, Stopped> {
    let mut unrolled = Unrolled::new(system, cx);
    let claim = unrolled.frames.claim(question, 0);
    if claim.is_none_or(|claim| claim.of_steps) {
        return Ok(None);
    }
    for frame in 0..=most {
        cx.check()?;
        if let Some(trace) = unrolled.violation(question, frame, false)? {
            return Ok(Some(trace));
        }
    }
    Ok(None)
}

fn answer(found: SymbolicVerdict, depth: u32) -> Answer {
    let effort = Effort {
        depth: depth as usize + 1,
        ..Effort::default()
    };
    Answer { found, effort }
}

struct Unrolled<'a> {
    frames: Frames<'a>,
    /// Knows runs from initial states.
    first: Solver,
    /// Knows any steps, and that the claim holds in the frames before.
    any: Solver,
    cx: Context,
}

impl<'a> Unrolled<'a> {
    fn new(system: &'a System, cx: &Context) -> Self {
        Unrolled {
            frames: Frames::new(system),
            first: Solver::under(cx),
            any: Solver::under(cx),
            cx: cx.clone(),
        }
    }

    /// What there is to a frame that was not there before it.
    fn moment(&mut self, frame: usize) -> Vec<Lit> {
        let mut all = vec![self.frames.state(frame)];
        if frame > 0 {
            all.push(self.frames.step(frame - 1));
        }
        all
    }

    /// A claim about steps has a truth where there is a step.
    fn last(&mut self, frame: usize, of_steps: bool) -> Vec<Lit> {
        match of_steps {
            true => vec![self.frames.step(frame), self.frames.state(frame + 1)],
            false => Vec::new(),
        }
    }

    fn claim(&mut self, question: &Question, frame: usize) -> Lit {
        let claim = self.frames.claim(question, frame);
        claim.map_or(Lit::TRUE, |claim| claim.holds)
    }

    /// A run from an initial state that breaks the claim in that frame and not before.
    fn violation(
        &mut self,
        question: &Question,
        frame: usize,
        of_steps: bool,
    ) -> Result<Option<Trace>, Stopped> {
        let mut known = self.moment(frame);
        if frame == 0 {
            known.push(self.frames.init(0));
        }
        let holds = self.claim(question, frame);
        let mut asked = vec![!holds];
        asked.extend(self.last(frame, of_steps));
        for lit in known {
            self.first.add(self.frames.circuit(), &[lit]);
        }
        let found = self.first.solve(self.frames.circuit(), &asked);
        if self.answered(found)? == SatResult::Unsat {
            return Ok(None);
        }
        let model = self.first.model(self.frames.circuit());
        let wire = |lit: Lit| model.holds(lit);
        let steps = frame + usize::from(of_steps);
        Ok(Some(Trace {
            states: (0..=steps)
                .map(|at| self.frames.state_values(at, &wire))
                .collect(),
            inputs: (0..steps)
                .map(|at| self.frames.input_values(at, &wire))
                .collect(),
            loops_to: None,
        }))
    }

    /// Does the claim follow, one frame further, from the frames up to this one?
    fn is_inductive(
        &mut self,
        question: &Question,
        frame: usize,
        of_steps: bool,
    ) -> Result<bool, Stopped> {
        let mut known = self.moment(frame);
        known.push(self.claim(question, frame));
        for lit in known {
            self.any.add(self.frames.circuit(), &[lit]);
        }
        let mut asked = self.moment(frame + 1);
        asked.push(!self.claim(question, frame + 1));
        asked.extend(self.last(frame + 1, of_steps));
        let found = self.any.solve(self.frames.circuit(), &asked);
        Ok(self.answered(found)? == SatResult::Unsat)
    }

    fn answered(&self, found: Result<SatResult, Stopped>) -> Result<SatResult, Stopped> {
        self.cx.check()?;
        found
    }
}
