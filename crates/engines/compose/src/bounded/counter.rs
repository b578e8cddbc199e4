//! The safety property that counts.
//!
//! The negation of the claim is followed as in [`crate::liveness`]: sets of formulas that are all to be false, with an acceptance set for each
//! release-formula, and one more for the rounds. The acceptance sets are waited for in turn; a sequence of sets that has met all of them begins anew and has
//! counted one. All sequences are followed at once. Of two in the same set the one that is further stays so whatever happens next, so one number a set is enough, and the property is
//! deterministic.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::lts::{Label, Liveness, Lts, LtsBuilder, Network};

use crate::liveness::{Letters, Owed, TooLarge, Track};

/// A counter has so many states at most.
const MOST: usize = 20_000;

/// Fluents, and for each set of formulas owed how often and how far.
type State = (Vec<u64>, BTreeMap<u32, (u32, u32)>);

/// A deterministic LTS over the labels of the claim and the rounds: an accepting round happens at most so many times. None if it becomes
/// too large.
pub(super) fn counter(
    network: &Network,
    claim: &Liveness,
    rounds: &[Label],
    bound: u32,
    cx: &Context,
) -> Result<Option<Lts>, Reason> {
    let mut following = Following {
        letters: Letters::new(network, claim),
        owed: Owed::new(claim),
        rounds,
        bound,
    };
    match following.build(claim, cx) {
        Ok(lts) => Ok(lts),
        Err(Ended::Stopped(reason)) => Err(reason),
        Err(Ended::TooLarge) => Ok(None),
    }
}

enum Ended {
    Stopped(Reason),
    TooLarge,
}

impl From<TooLarge> for Ended {
    fn from(_: TooLarge) -> Self {
        Ended::TooLarge
    }
}

struct Following<'f> {
    letters: Letters,
    owed: Owed<'f>,
    rounds: &'f [Label],
    bound: u32,
}

impl Following<'_> {
    fn build(&mut self, claim: &Liveness, cx: &Context) -> Result<Option<Lts>, Ended> {
        let mut alphabet = [claim.labels(), self.rounds.to_vec()].concat();
        alphabet.sort_unstable();
        alphabet.dedup();
        let mut builder = LtsBuilder::new("K");
        builder.extend_alphabet(alphabet.iter().copied());
        let sets = self.owed.initial()?.into_iter().map(|set| (set, (0, 0)));
        let first: State = (self.letters.initial().to_vec(), sets.collect());
        let mut numbers = FxHashMap::from_iter([(first.clone(), 0u32)]);
        let mut states = vec![first];
        let mut next = 0;
        while let Some(state) = states.get(next).cloned() {
            cx.spend(8 * alphabet.len() as u64)
                .map_err(|s| Ended::Stopped(s.into()))?;
            // Labels that mean the same lead to the same state.
            let mut known: BTreeMap<(u32, bool), Option<u32>> = BTreeMap::new();
            for label in &alphabet {
                let is_round = self.rounds.binary_search(label).is_ok();
                let class = self.letters.class_of(Some(*label));
                let target = match known.get(&(class, is_round)) {
                    Some(target) => *target,
                    None => {
                        let after = self.after(&state, class, is_round)?;
                        let target = after.map(|after| {
                            *numbers.entry(after.clone()).or_insert_with(|| {
                                states.push(after);
                                states.len() as u32 - 1
                            })
                        });
                        known.insert((class, is_round), target);
                        target
                    }
                };
                if let Some(target) = target {
                    builder.edge(next as u32, *label, target);
                }
            }
            if states.len() > MOST {
                return Ok(None);
            }
            next += 1;
        }
        builder.states(states.len() as u32);
        Ok(Some(builder.build()))
    }

    /// None if that is once too often.
    fn after(
        &mut self,
        (fluents, sets): &State,
        class: u32,
        is_round: bool,
    ) -> Result<Option<State>, Ended> {
        let mut fluents = fluents.clone();
        self.letters.apply(class, &mut fluents);
        let letter = self.letters.letter(class, &fluents);
        let mut after: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (set, (count, stage)) in sets {
            for to in self.owed.after(*set, letter, &self.letters)? {
                let met = self.further(letter, to, *count, *stage, is_round)?;
                if met.0 > self.bound {
                    return Ok(None);
                }
                let best = after.entry(to).or_insert(met);
                *best = met.max(*best);
            }
        }
        Ok(Some((fluents, after)))
    }

    /// The acceptance sets that a step to a set is in are crossed off, in their order; the last are the rounds.
    fn further(
        &self,
        letter: u32,
        to: u32,
        count: u32,
        mut stage: u32,
        is_round: bool,
    ) -> Result<(u32, u32), Ended> {
        let letters = &self.letters;
        let holds = |proposition| letters.holds(letter, proposition);
        let releases = self.owed.releases();
        while let Some(release) = releases.get(stage as usize) {
            if !self.owed.meets(*release, to, &holds)? {
                return Ok((count, stage));
            }
            stage += 1;
        }
        match is_round {
            true => Ok((count + 1, 0)),
            false => Ok((count, stage)),
        }
    }
}
