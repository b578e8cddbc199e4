//! All states as evidence: is this set of states closed under steps, and is nothing wrong in any of them?
//!
//! The states of a set are looked at one after the other, in any order, and on several threads. Every reachable state
//! is in a set that passes: the first state is, and so is every state that a step from one of them leads to. Nothing is searched here.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use suppose_control::{Context, on_threads};
use suppose_model::program::semantics::State;
use suppose_model::program::visited::{Records, pack, unpack};
use suppose_model::program::{Claim, Program, Question, Violation, Visited};

use super::steps::Steps;
use crate::rejection::{Place, Rejection};

/// A thread takes so many states at a time.
const SHARE: usize = 256;

/// Checks a set of states, on that many threads.
pub fn visited(
    program: &Program,
    set: &Visited,
    threads: usize,
    cx: &Context,
) -> Result<(), Rejection> {
    invariant(program, &[set.question], &set.states, threads, cx)
}

/// Checks that a set of states is evidence for all of these questions: one of them, or both that are not about a claim.
pub fn invariant(
    program: &Program,
    questions: &[Question],
    states: &Records,
    threads: usize,
    cx: &Context,
) -> Result<(), Rejection> {
    let plain = |q: &Question| matches!(q, Question::Assertions | Question::EndStates);
    let question = match questions {
        [question] => *question,
        // With an assertion that fails, a run goes on where end states are asked for. Here, none may fail.
        questions if !questions.is_empty() && questions.iter().all(plain) => Question::Assertions,
        _ => return Err(whole("these questions have no states in common")),
    };
    if program.is_liveness(question) {
        return Err(whole("states alone say nothing about infinite runs"));
    }
    let claim = match question {
        Question::Claim(number) => match program.claims.get(number) {
            Some(claim) => Some(claim).filter(|c| c.events.is_none()),
            None => return Err(whole("there is no such claim")),
        },
        _ => None,
    };
    let first = match State::at_start(program, question) {
        Ok(first) => first,
        Err(wrong) if questions.contains(&Question::Assertions) => {
            return Err(whole(wrong.words()));
        }
        // A program that cannot start has no states.
        Err(_) => return Ok(()),
    };
    let invariant = Invariant {
        program,
        question,
        end_states: questions.contains(&Question::EndStates),
        claim,
        set: Set::new(states, cx)?,
    };
    let mut row = Vec::new();
    pack(&first, claim.map_or(0, |c| c.entry), &mut row);
    if !invariant.set.contains(&row) {
        return Err(whole("the first state is missing"));
    }
    invariant.check(threads, cx)
}

fn whole(why: &str) -> Rejection {
    Rejection::at(Place::Whole, why)
}

/// Rows, and where they are.
struct Set<'a> {
    rows: &'a Records,
    /// The number of a row plus 1; 0 is free.
    table: Vec<u32>,
    hasher: RandomState,
}

impl<'a> Set<'a> {
    fn new(rows: &'a Records, cx: &Context) -> Result<Self, Rejection> {
        if rows.len() > u32::MAX as usize / 2 {
            return Err(whole("there are too many states"));
        }
        let size = (rows.len() * 3 / 2 + 1).next_power_of_two();
        cx.reserve(size as u64 * 4).map_err(Rejection::Stopped)?;
        let mut set = Set {
            rows,
            table: vec![0; size],
            hasher: RandomState::new(),
        };
        for (number, row) in rows.iter().enumerate() {
            if number.is_multiple_of(SHARE) {
                cx.check().map_err(Rejection::Stopped)?;
            }
            match set.find(row) {
                Ok(_) => {
                    return Err(Rejection::at(
                        Place::Step(number),
                        "a state is listed twice",
                    ));
                }
                Err(free) => set.table[free] = number as u32 + 1,
            }
        }
        Ok(set)
    }

    /// The row, or the free place where it belongs.
    fn find(&self, row: &[u8]) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut at = self.hasher.hash_one(row) as usize & mask;
        loop {
            match self.table[at] {
                0 => return Err(at),
                there if self.rows.get(there as usize - 1) == row => return Ok(there - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn contains(&self, row: &[u8]) -> bool {
        self.find(row).is_ok()
    }
}

struct Invariant<'a> {
    program: &'a Program,
    question: Question,
    /// Are end states asked for?
    end_states: bool,
    claim: Option<&'a Claim>,
    set: Set<'a>,
}

/// What one thread does: every so many-th share of the states.
struct Worker {
    first: usize,
    row: Vec<u8>,
    /// The first state where something is wrong, of its own.
    found: Option<(usize, Rejection)>,
}

impl Invariant<'_> {
    fn check(&self, threads: usize, cx: &Context) -> Result<(), Rejection> {
        let shares = self.set.rows.len().div_ceil(SHARE);
        let threads = threads.clamp(1, shares.max(1));
        let worker = |first| Worker {
            first,
            row: Vec::new(),
            found: None,
        };
        let mut workers: Vec<Worker> = (0..threads).map(worker).collect();
        on_threads(&mut workers, |worker: &mut Worker| {
            for share in (worker.first..shares).step_by(threads) {
                let to = ((share + 1) * SHARE).min(self.set.rows.len());
                for number in share * SHARE..to {
                    let checked = match number.is_multiple_of(SHARE / 8) {
                        true => cx.check().map_err(Rejection::Stopped),
                        false => Ok(()),
                    };
                    let checked = checked.and_then(|()| self.state(number, &mut worker.row));
                    if let Err(rejection) = checked {
                        worker.found = Some((number, rejection));
                        return;
                    }
                }
            }
        });
        let found = workers.into_iter().filter_map(|worker| worker.found);
        match found.min_by_key(|(number, _)| *number) {
            Some((_, rejection)) => Err(rejection),
            None => Ok(()),
        }
    }

    /// All steps from a state.
    fn state(&self, number: usize, row: &mut Vec<u8>) -> Result<(), Rejection> {
        let refuse = |why: &str| Err(Rejection::at(Place::Step(number), why));
        let program = self.program;
        let Some((state, at)) = unpack(program, self.question, self.set.rows.get(number)) else {
            return refuse("this is no state of the program");
        };
        let mut places = vec![0];
        if let Some(claim) = self.claim {
            let look = state.claim_looks(program, claim, at);
            if let Some(wrong) = look.wrong {
                return refuse(wrong.words());
            }
            places = look.ways.into_iter().map(|(_, target)| target).collect();
            places.sort_unstable();
            places.dedup();
            if places.contains(&claim.end) {
                return refuse("the claim comes to its end");
            }
        }
        let steps = Steps::of(program, &state, false);
        if steps.cut {
            return refuse("a d_step is too long to be followed");
        }
        let counts = |wrong: &&Violation| self.question == Question::Assertions || wrong.is_event();
        if let Some(wrong) = steps.wrong.iter().find(counts) {
            return refuse(wrong.words());
        }
        if !steps.any {
            if self.end_states && !state.is_valid_end(program) {
                return refuse("all processes stop, and not all are at an end");
            }
            if state.misses_events(program) {
                return refuse(Violation::EventsMissing.words());
            }
        }
        let rests = (!steps.any && self.claim.is_some()).then_some(&state);
        for next in steps.ends.iter().map(|(next, _)| next).chain(rests) {
            for place in &places {
                row.clear();
                pack(next, *place, row);
                if !self.set.contains(row) {
                    return refuse("a step leads to a state that is missing");
                }
            }
        }
        Ok(())
    }
}
