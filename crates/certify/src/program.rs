//! Evidence about programs.
//!
//! A violation is shown by a run, which is followed step by step. That nothing is wrong is shown by
//! looking at all states; an engine has reductions for that, and here there are none: one state after the
//! other by the plain semantics, so a mistake in a reduction shows.

use std::collections::{BTreeSet, VecDeque};

use suppose_model::program::semantics::{State, replay};
use suppose_model::program::{Claim, Outcome, Program, Question, Trace, Violation};

use crate::rejection::{Place, Rejection};

/// Is this a run of the program, and is at its end what it says?
pub fn run(program: &Program, trace: &Trace) -> Result<(), Rejection> {
    match replay(program, trace) {
        Ok(_) => Ok(()),
        Err(refused) => Err(Rejection::at(Place::Step(refused.step), refused.why)),
    }
}

/// How far a look at all states came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// At all of them, and nothing is wrong.
    All {
        /// How many.
        states: u64,
    },
    /// Not at all: there are more than allowed.
    TooMany,
}

/// Looks at all states, up to so many. Something wrong is a rejection.
pub fn exhaustive(
    program: &Program,
    question: Question,
    limit: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Looked, Rejection> {
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
        Err(_) => return Ok(Looked::All { states: 0 }),
    };
    let mut search = Search {
        program,
        question,
        claim,
        seen: BTreeSet::new(),
        open: VecDeque::new(),
    };
    search.reach(initial, claim.map_or(0, |c| c.entry));
    while let Some((state, at)) = search.open.pop_front() {
        if search.seen.len() as u64 > limit {
            return Ok(Looked::TooMany);
        }
        if stop() {
            return Err(Rejection::Stopped);
        }
        search.expand(&state, at)?;
    }
    Ok(Looked::All {
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
            let moves = state.claim_moves(self.program, claim, at);
            places = moves.into_iter().map(|(_, target)| target).collect();
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
                Outcome::State(next) => {
                    for place in &places {
                        self.reach(next.clone(), *place);
                    }
                }
                Outcome::Wrong(violation)
                    if self.question == Question::Assertions || violation.is_event() =>
                {
                    return Err(wrong(violation.words()));
                }
                Outcome::Wrong(_) => {}
            }
        }
        Ok(())
    }

    /// Where the system stops, only the claim goes on.
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
