//! Claims (`never`, `ltl`) that run along with a program.
//!
//! A claim is an automaton that reads every state, outside of atomic sequences, before the system steps. It may be
//! nondeterministic, so with a state is kept the set of locations where each claim can be (a subset construction).

use suppose_model::program::semantics::State as Whole;
use suppose_model::program::{Claim, Program};

use super::Violation;

/// The claims, and how their sets are packed: one bit per location.
#[derive(Debug)]
pub(super) struct Claims<'a> {
    program: &'a Program,
    watched: Vec<&'a Claim>,
}

/// For each claim the locations where it can be, ascending.
pub(super) type Sets = Vec<Vec<u32>>;

impl<'a> Claims<'a> {
    /// None at all.
    pub fn none(program: &'a Program) -> Self {
        let watched = Vec::new();
        Claims { program, watched }
    }

    /// All that look at states. What looks at messages (`trace`, `notrace`) is part of the state of a program, and only for its own question.
    pub fn all(program: &'a Program) -> Self {
        let of_states = |c: &&Claim| c.events.is_none();
        let watched = program.claims.iter().filter(of_states).collect();
        Claims { program, watched }
    }

    /// Where they begin.
    pub fn start(&self) -> Sets {
        self.watched.iter().map(|c| vec![c.entry]).collect()
    }

    /// Where they are after reading a state, and which are violated.
    pub fn look(&self, state: &Whole, sets: &Sets) -> (Sets, Option<Violation>) {
        if state.alone.is_some() {
            return (sets.clone(), None);
        }
        let mut violation = None;
        let mut after = Sets::new();
        for (claim, set) in self.watched.iter().zip(sets) {
            let (next, why) = self.look_once(claim, state, set);
            violation = violation.or(why.map(|why| violated(claim, why)));
            after.push(next);
        }
        (after, violation)
    }

    /// What the claims come to where the system stops: they continue to read that state.
    pub fn look_for_ever(&self, state: &Whole, sets: &Sets) -> Option<Violation> {
        for (claim, set) in self.watched.iter().zip(sets) {
            let mut seen = set.clone();
            loop {
                let (next, why) = self.look_once(claim, state, &seen);
                if let Some(why) = why {
                    return Some(violated(claim, why));
                }
                let before = seen.len();
                seen.extend(next);
                seen.sort_unstable();
                seen.dedup();
                if seen.len() == before {
                    break;
                }
            }
        }
        None
    }

    fn look_once(
        &self,
        claim: &Claim,
        state: &Whole,
        set: &[u32],
    ) -> (Vec<u32>, Option<&'static str>) {
        let mut next = Vec::new();
        let mut why = None;
        for at in set {
            let look = state.claim_looks(self.program, claim, *at);
            why = why.or(look.wrong.map(|w| w.words()));
            next.extend(look.ways.into_iter().map(|(_, target)| target));
        }
        next.sort_unstable();
        next.dedup();
        if next.contains(&claim.end) {
            let came = suppose_model::program::Violation::Claim.words();
            why = why.or(Some(came));
        }
        (next, why)
    }

    /// As words.
    pub fn pack(&self, sets: &Sets, words: &mut Vec<u32>) {
        for (claim, set) in self.watched.iter().zip(sets) {
            let first = words.len();
            words.resize(first + width(claim), 0);
            for place in set {
                if let Some(word) = words.get_mut(first + *place as usize / 32) {
                    *word |= 1 << (place % 32);
                }
            }
        }
    }

    /// How many words they take.
    pub fn words(&self) -> usize {
        self.watched.iter().map(|c| width(c)).sum()
    }

    /// The sets that words stand for.
    pub fn unpack(&self, words: &[u32]) -> Sets {
        let mut rest = words;
        let mut sets = Sets::new();
        for claim in &self.watched {
            let (own, after) = rest.split_at(width(claim).min(rest.len()));
            rest = after;
            let is_set = |place: &u32| {
                let word = own.get(*place as usize / 32);
                word.is_some_and(|word| word >> (place % 32) & 1 == 1)
            };
            sets.push((0..claim.locations.len() as u32).filter(is_set).collect());
        }
        sets
    }
}

fn width(claim: &Claim) -> usize {
    claim.locations.len().div_ceil(32)
}

fn violated(claim: &Claim, why: &str) -> Violation {
    Violation {
        property: claim.name.clone(),
        why: why.to_owned(),
    }
}
