//! The greatest or least probability of an until, in every state: exactly where that is feasible, else between bounds.
//!
//! States where the graph settles it come first; the others are solved component by component, those that lead
//! to no unsolved one first.

use fixedbitset::FixedBitSet;
use suppose_model::markov::{Bound, Inductive, State};
use suppose_number::Rat;
use suppose_refine::{Context, Stopped};

use super::certified;
use super::exact::{self, Part};
use super::graph::{components, distances, forced, minus, settled_greatest, settled_least};
use super::mdp::{Mdp, states_where};
use super::number::{of_units, size, to_units};

/// How hard to try for exact numbers.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How much work to put into solving one component exactly: about the binary digits of all numbers met, long ones counting
    /// more. 0 leaves exact numbers to components of one state.
    pub digits: u64,
    /// Longer fractions are rounded.
    pub fraction: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            digits: 100_000_000,
            fraction: 100_000,
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// No more than the probability.
    pub lower: Vec<Rat>,
    /// No less; none if the lower numbers are exact.
    pub upper: Option<Vec<Rat>>,
    /// A choice for every state, counted within it, that reaches the lower numbers (of a greatest probability) or the upper ones
    /// (of a least).
    pub scheduler: Vec<u32>,
    /// What makes the lower numbers a lower bound.
    ranks: Vec<u32>,
    greatest: bool,
}

impl Solution {
    /// The bounds of that side.
    pub fn values(&self, upper: bool) -> &[Rat] {
        match &self.upper {
            Some(numbers) if upper => numbers,
            _ => &self.lower,
        }
    }

    /// As evidence.
    pub fn bound(&self, upper: bool) -> Bound {
        let ranks = match upper {
            true => Vec::new(),
            false => self.ranks.clone(),
        };
        let scheduler = match self.greatest == upper {
            true => Vec::new(),
            false => self.scheduler.clone(),
        };
        Bound::Inductive(Inductive {
            values: self.values(upper).to_vec(),
            ranks,
            scheduler,
        })
    }
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Told to stop.
    Stopped(Stopped),
    /// Floating-point numbers were not precise enough to find bounds.
    Imprecise,
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

struct Solver<'a> {
    mdp: &'a Mdp<'a>,
    greatest: bool,
    effort: Effort,
    lower: Vec<Rat>,
    /// Kept only from the first rounding on.
    upper: Option<Vec<Rat>>,
    scheduler: Vec<u32>,
    place: Vec<u32>,
}

/// The probability of `left U right` in every state.
pub(super) fn solve(
    mdp: &Mdp<'_>,
    left: &FixedBitSet,
    right: &FixedBitSet,
    greatest: bool,
    effort: Effort,
    cx: &Context,
) -> Result<Solution, Failure> {
    cx.check()?;
    let settled = match greatest {
        true => settled_greatest(mdp, left, right),
        false => settled_least(mdp, left, right),
    };
    let number = |s: usize| match settled.one.contains(s) || right.contains(s) {
        true => Rat::ONE,
        false => Rat::ZERO,
    };
    let mut solver = Solver {
        mdp,
        greatest,
        effort,
        lower: (0..mdp.states()).map(number).collect(),
        upper: None,
        scheduler: settled.scheduler,
        place: vec![u32::MAX; mdp.states()],
    };
    let open = minus(&minus(left, &settled.zero), &settled.one);
    for part in components(mdp, &open) {
        cx.check()?;
        solver.component(&part, cx)?;
    }
    solver.finish(left, right)
}

impl Solver<'_> {
    fn component(&mut self, members: &[State], cx: &Context) -> Result<(), Failure> {
        if let [only] = members
            && self.is_simple(*only)
        {
            self.one_state(*only);
            return Ok(());
        }
        for (place, state) in members.iter().enumerate() {
            self.place[*state as usize] = place as u32;
        }
        let done = self.cycle(members, cx);
        for state in members {
            self.place[*state as usize] = u32::MAX;
        }
        done
    }

    /// Does no choice lead back to the state?
    fn is_simple(&self, state: State) -> bool {
        let mut choices = self.mdp.choices(state);
        choices.all(|c| self.mdp.targets(c).binary_search(&state).is_err())
    }

    fn one_state(&mut self, state: State) {
        let start = self.mdp.choices(state).start;
        let best = |values: &[Rat]| {
            let choices = self.mdp.choices(state);
            let all = choices.map(|c| (self.mdp.expected(c, values), c));
            // The first of the best ones.
            let better = |a: &(Rat, usize), b: &(Rat, usize)| match self.greatest {
                true => a.0.cmp(&b.0).then(b.1.cmp(&a.1)),
                false => b.0.cmp(&a.0).then(b.1.cmp(&a.1)),
            };
            all.max_by(better).unwrap_or((Rat::ZERO, start))
        };
        let (low, by_low) = best(&self.lower);
        let (high, by_high) = match &self.upper {
            Some(upper) => best(upper),
            None => (low.clone(), by_low),
        };
        let choice = if self.greatest { by_low } else { by_high };
        self.scheduler[state as usize] = (choice - start) as u32;
        self.set(state, low, high);
    }

    /// Keeps bounds for a state, rounded if they have grown long.
    fn set(&mut self, state: State, low: Rat, high: Rat) {
        let limit = self.effort.fraction;
        let low = match size(&low) > limit {
            true => {
                self.upper.get_or_insert_with(|| self.lower.clone());
                of_units(to_units(&low, false))
            }
            false => low,
        };
        if low != high {
            self.upper.get_or_insert_with(|| self.lower.clone());
        }
        if let Some(upper) = &mut self.upper {
            upper[state as usize] = match size(&high) > limit {
                true => of_units(to_units(&high, true)),
                false => high,
            };
        }
        self.lower[state as usize] = low;
    }

    fn is_exact_below(&self, members: &[State]) -> bool {
        let Some(upper) = &self.upper else {
            return true;
        };
        let choices = members.iter().flat_map(|s| self.mdp.choices(*s));
        let mut targets = choices.flat_map(|c| self.mdp.targets(c));
        targets.all(|t| {
            let at = *t as usize;
            self.place[at] != u32::MAX || self.lower[at] == upper[at]
        })
    }

    fn cycle(&mut self, members: &[State], cx: &Context) -> Result<(), Failure> {
        let part = Part {
            mdp: self.mdp,
            members,
            place: &self.place,
            greatest: self.greatest,
        };
        let guess = certified::guess(&part, &self.lower, cx)?;
        if self.is_exact_below(members) {
            let mut work = self.effort.digits;
            let solved = exact::solve(&part, &self.lower, guess.policy.clone(), &mut work, cx)?;
            if let Some((values, policy)) = solved {
                self.take_policy(members, &policy);
                for (state, value) in members.iter().zip(values) {
                    // Rounding one of several would not be kept by a step, so long ones stay.
                    if let Some(upper) = &mut self.upper {
                        upper[*state as usize] = value.clone();
                    }
                    self.lower[*state as usize] = value;
                }
                return Ok(());
            }
        }
        let above = self.upper.as_deref().unwrap_or(&self.lower);
        let high = certified::bound(&part, &guess, above, true, cx)?;
        let low = certified::bound(&part, &guess, &self.lower, false, cx)?;
        let (Some(high), Some(low)) = (high, low) else {
            return Err(Failure::Imprecise);
        };
        self.take_policy(members, &guess.policy);
        self.upper.get_or_insert_with(|| self.lower.clone());
        for ((state, low), high) in members.iter().zip(low).zip(high) {
            self.lower[*state as usize] = low;
            if let Some(upper) = &mut self.upper {
                upper[*state as usize] = high;
            }
        }
        Ok(())
    }

    fn take_policy(&mut self, members: &[State], policy: &[usize]) {
        for (state, choice) in members.iter().zip(policy) {
            let start = self.mdp.choices(*state).start;
            self.scheduler[*state as usize] = (choice - start) as u32;
        }
    }

    fn finish(self, left: &FixedBitSet, right: &FixedBitSet) -> Result<Solution, Failure> {
        let positive = states_where(self.mdp.states(), |s| {
            self.lower[s as usize].is_positive() && !right.contains(s as usize)
        });
        let ends = states_where(self.mdp.states(), |s| !positive.contains(s as usize));
        let (ranked, ranks) = match self.greatest {
            true => distances(self.mdp, &positive, &ends, &self.scheduler),
            false => forced(self.mdp, &positive, &ends),
        };
        debug_assert!(positive.is_subset(left));
        if !ranked.is_full() {
            return Err(Failure::Imprecise);
        }
        Ok(Solution {
            lower: self.lower,
            upper: self.upper,
            scheduler: self.scheduler,
            ranks,
            greatest: self.greatest,
        })
    }
}
