//! Is a run one of the program, and does it show what it says?

use suppose_control::{Context, Stopped};

use super::State;
use crate::program::{Action, Claim, Edge, Expr, Program, Question, StepResult, Trace, Violation};

/// The states a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The first one, then the one after each step; a step that fails has none.
    pub states: Vec<State>,
}

/// Why a run is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not a run of the program.
    At {
        /// The step, from 0; the number of steps for what comes after them.
        step: usize,
        /// What is wrong there.
        why: String,
    },
    /// Cancelled.
    Stopped(Stopped),
}

/// Runs the program along a trace.
pub fn replay(program: &Program, trace: &Trace, cx: &Context) -> Result<Replayed, Refused> {
    let refuse = |step: usize, why: &str| {
        let why = why.to_owned();
        Err(Refused::At { step, why })
    };
    let mut watcher = match trace.question {
        Question::Claim(number) => match program.claims.get(number) {
            Some(claim) if claim.events.is_some() => None,
            Some(claim) => Some(Watcher::new(claim)),
            None => return refuse(0, "there is no such claim"),
        },
        _ => None,
    };
    let mut state = match State::at_start(program, trace.question) {
        Ok(state) => state,
        Err(wrong)
            if trace.question == Question::Assertions
                && trace.steps.is_empty()
                && wrong == trace.violation =>
        {
            let states = Vec::new();
            return Ok(Replayed { states });
        }
        Err(_) => return refuse(0, "the program goes wrong at its start"),
    };
    let mut states = vec![state.clone()];
    for (number, step) in trace.steps.iter().enumerate() {
        cx.check().map_err(Refused::Stopped)?;
        if let Some(watcher) = &mut watcher {
            let looks = state.alone.is_none();
            match (looks, step.claim) {
                (false, None) => {}
                (true, Some(edge)) => watcher
                    .go(program, &state, edge)
                    .map_err(|why| Refused::At { step: number, why })?,
                _ => {
                    return refuse(
                        number,
                        "the claim moves when it must not, or does not when it must",
                    );
                }
            }
        }
        let Some(found) = state.move_like(program, step) else {
            return refuse(number, "the step cannot be taken there");
        };
        match found.outcome {
            StepResult::State(next) => state = next,
            StepResult::Unfinished => {
                return refuse(number, "the d_step is too long to be followed");
            }
            StepResult::Wrong(wrong) => {
                let is_last = number + 1 == trace.steps.len();
                let asked = match trace.question {
                    Question::Assertions => !wrong.is_event(),
                    Question::Claim(_) => wrong.is_event(),
                    Question::EndStates | Question::Acceptance | Question::Progress => false,
                };
                if is_last && wrong == trace.violation && asked {
                    return Ok(Replayed { states });
                }
                return refuse(number, "the step fails, but not as the run says");
            }
        }
        states.push(state.clone());
    }
    ends(program, trace, &state, watcher)?;
    Ok(Replayed { states })
}

/// Does the last state show what the run says?
fn ends(
    program: &Program,
    trace: &Trace,
    state: &State,
    watcher: Option<Watcher>,
) -> Result<(), Refused> {
    let step = trace.steps.len();
    let refuse = |why: String| Refused::At { step, why };
    let stops = || state.moves(program).is_empty();
    match (trace.violation, watcher) {
        (Violation::EndState, None) if trace.question == Question::EndStates => {
            match stops() && !state.is_valid_end(program) {
                true => Ok(()),
                false => Err(refuse("the system can go on, or may rest there".to_owned())),
            }
        }
        (Violation::EventsMissing, None) => match stops() && state.misses_events(program) {
            true => Ok(()),
            false => Err(refuse(
                "the system can go on, or the trace may rest there".to_owned(),
            )),
        },
        (violation, Some(mut watcher)) if !violation.is_stop() && !violation.is_event() => {
            if state.alone.is_some() {
                return Err(refuse(
                    "the claim looks inside an atomic sequence".to_owned(),
                ));
            }
            // After its own moves, a claim whose evaluation failed is evaluated once more.
            let looks = trace.claim.len() + usize::from(violation != Violation::Claim);
            if looks > 1 && !stops() {
                return Err(refuse("the claim goes on without the system".to_owned()));
            }
            for edge in &trace.claim {
                watcher.go(program, state, *edge).map_err(refuse)?;
            }
            let shown = match violation {
                Violation::Claim => watcher.at == watcher.claim.end,
                _ => {
                    let look = state.claim_looks(program, watcher.claim, watcher.at);
                    look.wrong == Some(violation)
                }
            };
            match shown {
                true => Ok(()),
                false => Err(refuse("the claim is not at its end".to_owned())),
            }
        }
        _ => Err(refuse("nothing is wrong at the end of the run".to_owned())),
    }
}

struct Watcher<'a> {
    claim: &'a Claim,
    at: u32,
}

impl<'a> Watcher<'a> {
    fn new(claim: &'a Claim) -> Self {
        let at = claim.entry;
        Watcher { claim, at }
    }

    fn go(&mut self, program: &Program, state: &State, edge: u32) -> Result<(), String> {
        let possible = state.claim_looks(program, self.claim, self.at).ways;
        match possible.into_iter().find(|(number, _)| *number == edge) {
            Some((_, target)) => {
                self.at = target;
                Ok(())
            }
            None => Err("the claim cannot take that edge there".to_owned()),
        }
    }
}

/// What a claim sees of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimLook {
    /// The edges that it can take, with their targets.
    pub ways: Vec<(u32, u32)>,
    /// The first condition whose evaluation fails, which violates the claim.
    pub wrong: Option<Violation>,
}

impl State {
    /// What a claim sees here.
    pub fn claim_looks(&self, program: &Program, claim: &Claim, at: u32) -> ClaimLook {
        let timeout = claim.asks_timeout(at) && self.moves_when(program, false).is_empty();
        self.claim_looks_when(program, claim, at, timeout)
    }

    /// The same, if `timeout` is that.
    pub(super) fn claim_looks_when(
        &self,
        program: &Program,
        claim: &Claim,
        at: u32,
        timeout: bool,
    ) -> ClaimLook {
        let mut look = ClaimLook::default();
        let Some(here) = claim.locations.get(at as usize) else {
            return look;
        };
        for (number, edge) in here.edges.iter().enumerate() {
            let possible = match &edge.action {
                Action::Guard(test) => match self.eval(program, None, timeout, test) {
                    Ok(value) => value != 0,
                    Err(wrong) => {
                        look.wrong = look.wrong.or(Some(wrong));
                        false
                    }
                },
                Action::Else => look.ways.is_empty() && look.wrong.is_none(),
                _ => false,
            };
            if possible {
                look.ways.push((number as u32, edge.target));
            }
        }
        look
    }
}

impl Claim {
    /// Does it look at `timeout` from there?
    pub(super) fn asks_timeout(&self, at: u32) -> bool {
        let asks = |e: &Edge| match &e.action {
            Action::Guard(test) => test.any(|e| matches!(e, Expr::Timeout)),
            _ => false,
        };
        let here = self.locations.get(at as usize);
        here.is_some_and(|here| here.edges.iter().any(asks))
    }
}
