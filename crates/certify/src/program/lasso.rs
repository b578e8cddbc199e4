//! Infinite runs that are shown as a run and a part of it that repeats.

use suppose_control::Context;
use suppose_model::program::run::{Cycle, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{Claim, Program, Question, StepResult, Trace, Violation};

use crate::rejection::{Place, Rejection};

/// The observable part of a run: its states outside `atomic`.
#[derive(Default)]
struct Seen {
    /// The states, with the place of the claim before it looks.
    looks: Vec<(State, u32)>,
    /// Who takes part in the steps after each of them.
    moved: Vec<u64>,
}

struct Walk<'a> {
    program: &'a Program,
    question: Question,
    claim: Option<&'a Claim>,
    at: u32,
    state: State,
    seen: Seen,
    cx: &'a Context,
}

fn refuse<T>(step: usize, why: &str) -> Result<T, Rejection> {
    Err(Rejection::at(Place::Step(step), why.to_owned()))
}

/// Is this a run of the program that ends in a cycle, and does that violate the claim?
pub(super) fn lasso(program: &Program, trace: &Trace, cx: &Context) -> Result<(), Rejection> {
    let Some(cycle) = trace.cycle else {
        return refuse(0, "the run does not repeat");
    };
    if trace.violation != Violation::Cycle || cycle.step > trace.steps.len() {
        return refuse(0, "the run does not say what repeats");
    }
    let claim = match trace.question {
        Question::Claim(number) => match program.claims.get(number) {
            Some(claim) if claim.events.is_none() => Some(claim),
            _ => return refuse(0, "there is no such claim"),
        },
        Question::Acceptance | Question::Progress => None,
        _ => return refuse(0, "the question is not about infinite runs"),
    };
    let Ok(state) = State::at_start(program, trace.question) else {
        return refuse(0, "the program goes wrong at its start");
    };
    let mut walk = Walk {
        program,
        question: trace.question,
        claim,
        at: claim.map_or(0, |c| c.entry),
        state,
        seen: Seen::default(),
        cx,
    };
    walk.steps(&trace.steps[..cycle.step], 0)?;
    let (begin, back) = match cycle.step < trace.steps.len() {
        true => walk.around(&trace.steps[cycle.step..], cycle.step)?,
        false => walk.rest(trace, cycle)?,
    };
    walk.judge(begin, back, cycle.fair, trace.steps.len())
}

impl Walk<'_> {
    /// Takes steps, the first of which has that number.
    fn steps(&mut self, steps: &[TraceStep], first: usize) -> Result<(), Rejection> {
        for (number, step) in (first..).zip(steps) {
            self.cx.check()?;
            if self.state.alone.is_none() {
                self.look(step.claim, number)?;
            } else if step.claim.is_some() {
                return refuse(number, "the claim moves when it must not");
            }
            if let Some(moved) = self.seen.moved.last_mut() {
                *moved |= bit(step.process);
                *moved |= step.partner.map_or(0, |(other, _)| bit(other));
            }
            let Some(found) = self.state.move_like(self.program, step) else {
                return refuse(number, "the step cannot be taken there");
            };
            match found.outcome {
                StepResult::State(next) => self.state = next,
                _ => return refuse(number, "the step fails"),
            }
        }
        Ok(())
    }

    /// Notes the state, and lets the claim look at it.
    fn look(&mut self, edge: Option<u32>, number: usize) -> Result<(), Rejection> {
        self.seen.looks.push((self.state.clone(), self.at));
        self.seen.moved.push(0);
        match (self.claim, edge) {
            (None, None) => Ok(()),
            (Some(claim), Some(edge)) => {
                let look = self.state.claim_looks(self.program, claim, self.at);
                match look.ways.into_iter().find(|(n, _)| *n == edge) {
                    Some((_, target)) => {
                        self.at = target;
                        Ok(())
                    }
                    None => refuse(number, "the claim cannot take that edge there"),
                }
            }
            _ => refuse(number, "the claim does not move when it must"),
        }
    }

    /// Goes around twice. Which part of what was seen repeats: its first place, and the place after its last.
    fn around(&mut self, round: &[TraceStep], first: usize) -> Result<(usize, usize), Rejection> {
        let begin = self.seen.looks.len();
        let mut end = begin;
        let start = (self.state.clone(), self.at);
        if start.0.alone.is_some() {
            return refuse(first, "the cycle begins inside an atomic sequence");
        }
        for turn in 0..2 {
            self.steps(round, first)?;
            if (&self.state, self.at) != (&start.0, start.1) {
                return refuse(
                    first,
                    "the run does not come back to where the cycle begins",
                );
            }
            if turn == 0 {
                end = self.seen.looks.len();
            }
        }
        Ok((begin, end))
    }

    /// The system stops, and only the claim takes steps.
    fn rest(&mut self, trace: &Trace, cycle: Cycle) -> Result<(usize, usize), Rejection> {
        let last = trace.steps.len();
        if !self.state.moves(self.program).is_empty() || self.state.alone.is_some() {
            return refuse(last, "the system can go on");
        }
        let Some(_) = self.claim else {
            let begin = self.seen.looks.len();
            self.look(None, last)?;
            return match self.question {
                Question::Acceptance => Ok((begin, begin + 1)),
                _ => refuse(last, "a run that stops is no cycle"),
            };
        };
        if cycle.claim >= trace.claim.len() {
            return refuse(last, "the claim does not go on");
        }
        for edge in &trace.claim[..cycle.claim] {
            self.look(Some(*edge), last)?;
        }
        let (begin, start) = (self.seen.looks.len(), self.at);
        for edge in &trace.claim[cycle.claim..] {
            self.look(Some(*edge), last)?;
        }
        match self.at == start {
            true => Ok((begin, self.seen.looks.len())),
            false => refuse(
                last,
                "the claim does not come back to where the cycle begins",
            ),
        }
    }

    /// Is what repeats not allowed?
    fn judge(&self, begin: usize, end: usize, fair: bool, last: usize) -> Result<(), Rejection> {
        let round = &self.seen.looks[begin..end];
        let labelled = |state: &State, accept: bool| {
            state.processes.iter().any(|process| {
                let text = &self.program.proctypes[process.proctype as usize];
                let here = &text.locations[process.location as usize];
                if accept { here.accept } else { here.progress }
            })
        };
        match (self.question, self.claim) {
            (Question::Progress, _) => {
                if round.iter().any(|(state, _)| labelled(state, false)) {
                    return refuse(last, "the cycle makes progress");
                }
            }
            (_, Some(claim)) => {
                if !round
                    .iter()
                    .any(|(_, at)| claim.locations[*at as usize].accept)
                {
                    return refuse(last, "the claim does not accept the cycle");
                }
                self.evaluate(claim, begin, end, last)?;
            }
            (_, None) => {
                if !round.iter().any(|(state, _)| labelled(state, true)) {
                    return refuse(last, "no accept label is in the cycle");
                }
            }
        }
        match fair {
            true => self.is_fair(begin, end, last),
            false => Ok(()),
        }
    }

    /// A formula is evaluated on the run itself: its automaton is not trusted.
    fn evaluate(
        &self,
        claim: &Claim,
        begin: usize,
        end: usize,
        last: usize,
    ) -> Result<(), Rejection> {
        let Some(formula) = &claim.formula else {
            return Ok(());
        };
        let looks = self.seen.looks[..end].iter();
        let values: Vec<Vec<Option<bool>>> = looks
            .map(|(state, _)| {
                let timeout = formula.atoms.iter().any(asks_timeout) && state.waits(self.program);
                let atoms = formula.atoms.iter();
                let value = atoms.map(|a| state.eval(self.program, None, timeout, a).ok());
                value.map(|v| v.map(|v| v != 0)).collect()
            })
            .collect();
        match formula.on_lasso(&values, begin) {
            Some(false) => Ok(()),
            _ => refuse(last, "the formula is true on this run"),
        }
    }

    /// Does every process take part in a step, or is it unable to, somewhere in the cycle?
    fn is_fair(&self, begin: usize, end: usize, last: usize) -> Result<(), Rejection> {
        let most = self.seen.looks[begin..end].iter();
        let most = most.map(|(s, _)| s.processes.len()).max().unwrap_or(0);
        if most > 63 {
            return refuse(last, "fairness is checked among at most 63 processes");
        }
        let mut open = (1u64 << most) - 1;
        for at in begin..end {
            let (state, _) = &self.seen.looks[at];
            open &= !self.seen.moved[at] & super::steps::able(self.program, state);
        }
        match open {
            0 => Ok(()),
            _ => refuse(last, "the run is not fair to one of the processes"),
        }
    }
}

fn asks_timeout(expr: &suppose_model::program::Expr) -> bool {
    expr.any(|e| matches!(e, suppose_model::program::Expr::Timeout))
}

fn bit(process: u32) -> u64 {
    1u64.checked_shl(process).unwrap_or(0)
}
