//! Numbers that show that no infinite run violates a question. See [`LiveProof`] for what they mean and `docs/certificates.md`
//! for why that is enough.

use std::collections::BTreeMap;

use suppose_control::Context;
use suppose_model::program::semantics::{Channel, MOST, Process, State};
use suppose_model::program::{Claim, LiveProof, Program, Question};

use super::steps::Steps;
use crate::rejection::{Place, Rejection};

struct Checker<'a> {
    program: &'a Program,
    claim: Option<&'a Claim>,
    proof: &'a LiveProof,
    /// The number of each state, and where it is in the proof.
    numbers: BTreeMap<(&'a State, u32), (u32, usize)>,
}

fn refuse<T>(at: usize, why: &str) -> Result<T, Rejection> {
    Err(Rejection::at(Place::Step(at), why.to_owned()))
}

/// Checks a proof. The automaton of a formula is the checker's own.
pub fn live(program: &Program, proof: &LiveProof, cx: &Context) -> Result<(), Rejection> {
    let claim = match proof.question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    let own = match claim {
        Some(claim) if claim.formula.is_some() => match super::automaton(claim) {
            Some(own) => Some(own),
            None => {
                let why = "the formula is too large for the checker";
                return Err(Rejection::at(Place::Whole, why));
            }
        },
        claim => claim.cloned(),
    };
    ranks(program, own.as_ref(), proof, cx)
}

/// Checks a proof, edge by edge. `claim` is the automaton that runs along: the program's own `never`, or for a formula
/// [`super::automaton`].
pub fn ranks(
    program: &Program,
    claim: Option<&Claim>,
    proof: &LiveProof,
    cx: &Context,
) -> Result<(), Rejection> {
    let mut numbers = BTreeMap::new();
    for (at, ranked) in proof.states.iter().enumerate() {
        if !fits(program, &ranked.state) {
            return refuse(at, "this is no state of the program");
        }
        let key = (&ranked.state, ranked.claim);
        if numbers.insert(key, (ranked.number, at)).is_some() {
            return refuse(at, "a state is listed twice");
        }
    }
    let asked = matches!(
        (proof.question, claim),
        (Question::Claim(_), Some(_)) | (Question::Acceptance | Question::Progress, None)
    );
    if !asked {
        return refuse(0, "the question is not about infinite runs");
    }
    let checker = Checker {
        program,
        claim,
        proof,
        numbers,
    };
    if let Ok(first) = State::at_start(program, proof.question) {
        let at = claim.map_or(0, |c| c.entry);
        if !checker.numbers.contains_key(&(&first, at)) {
            return refuse(0, "the first state is missing");
        }
    }
    for at in 0..proof.states.len() {
        cx.check().map_err(Rejection::Stopped)?;
        checker.state(at)?;
    }
    Ok(())
}

impl Checker<'_> {
    /// All steps from a state.
    fn state(&self, at: usize) -> Result<(), Rejection> {
        let ranked = &self.proof.states[at];
        let state = &ranked.state;
        if state.alone.is_some() || state.processes.len() > 63 && self.proof.fair {
            return refuse(at, "the state cannot be one of these");
        }
        let mut places = vec![ranked.claim];
        let mut accepting = self.has_label(state, |l| l.accept);
        if let Some(claim) = self.claim {
            let Some(here) = claim.locations.get(ranked.claim as usize) else {
                return refuse(at, "the claim has no such place");
            };
            accepting = here.accept;
            let look = state.claim_looks(self.program, claim, ranked.claim);
            if let Some(wrong) = look.wrong {
                return refuse(
                    at,
                    &format!("the claim cannot be evaluated: {}", wrong.words()),
                );
            }
            places = look.ways.into_iter().map(|(_, target)| target).collect();
            if places.contains(&claim.end) {
                return refuse(at, "the claim comes to its end");
            }
        }
        let steps = Steps::of(self.program, state, self.proof.fair);
        if steps.cut {
            return refuse(at, "a d_step is too long to be followed");
        }
        let mut own = u64::from(accepting && self.proof.question != Question::Progress);
        if self.proof.fair {
            own |= !1 & !(steps.able << 1);
        }
        for place in places {
            for (next, movers) in &steps.ends {
                let moved = if self.proof.fair { movers << 1 } else { 0 };
                self.step(at, next, place, own | moved)?;
            }
            let rests =
                self.claim.is_some() || self.proof.question == Question::Acceptance && accepting;
            if !steps.any && rests {
                self.step(at, state, place, own)?;
            }
        }
        Ok(())
    }

    fn step(&self, at: usize, next: &State, place: u32, sets: u64) -> Result<(), Rejection> {
        let ranked = &self.proof.states[at];
        let Some((number, _)) = self.numbers.get(&(next, place)) else {
            return refuse(at, "a step leads to a state that is missing");
        };
        if self.proof.question == Question::Progress
            && (self.has_label(&ranked.state, |l| l.progress)
                || self.has_label(next, |l| l.progress))
        {
            return Ok(());
        }
        if *number > ranked.number {
            return refuse(at, "the number rises along a step");
        }
        if *number < ranked.number {
            return Ok(());
        }
        let missed = self.proof.missed.get(*number as usize).copied().flatten();
        let least = u8::from(self.proof.question == Question::Progress);
        let most = if self.proof.fair { 63 } else { 0 };
        match missed {
            Some(set) if (least..=most).contains(&set) && sets >> set & 1 == 0 => Ok(()),
            _ => refuse(
                at,
                "a step between states of one number is in the set that it must miss",
            ),
        }
    }

    fn has_label(
        &self,
        state: &State,
        is: impl Fn(&suppose_model::program::Location) -> bool,
    ) -> bool {
        state.processes.iter().any(|process| {
            let text = self.program.proctypes.get(process.proctype as usize);
            let here = text.and_then(|t| t.locations.get(process.location as usize));
            here.is_some_and(&is)
        })
    }
}

/// Has the state the form that states of the program have?
fn fits(program: &Program, state: &State) -> bool {
    let process = |p: &Process| {
        let text = program.proctypes.get(p.proctype as usize);
        text.is_some_and(|text| {
            p.locals.len() == text.locals.len() && (p.location as usize) < text.locations.len()
        })
    };
    let channel = |c: &Channel| {
        let kind = program.channels.get(c.kind as usize);
        kind.is_some_and(|kind| {
            let mut messages = c.messages.iter();
            c.messages.len() <= kind.capacity as usize
                && messages.all(|m| m.len() == kind.fields.len())
        })
    };
    state.globals.len() == program.globals.len()
        && state.processes.len() <= MOST
        && state.channels.len() <= MOST
        && state.processes.iter().all(process)
        && state.channels.iter().all(channel)
        && state.asking.is_empty()
        && state.events.is_none()
        && !state.lenient
}
