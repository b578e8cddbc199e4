//! Numbers that one step keeps.

use suppose_model::mdp::{Dist, Inductive, Numbers, RewardBound, Rewards, State, Weights};
use suppose_number::{Int, Rat};

use super::evaluation::{Aim, Evaluation, Until, expected, number};
use super::steps::units;
use super::{Flaw, require};

/// What a choice earns.
enum Earned<'a> {
    Nothing,
    Exact(&'a Rewards),
    /// The distinct rewards in units, rounded towards the side of the bound.
    Units(&'a Rewards, Vec<u64>),
}

impl Evaluation<'_> {
    /// Is the number of a state on the right side of what a choice promises?
    fn step(
        &self,
        numbers: &Numbers,
        earned: &Earned<'_>,
        state: State,
        place: usize,
        is_upper: bool,
    ) -> bool {
        let dist = self.lpts.dist(self.lpts.choices(state)[place].dist);
        match numbers {
            Numbers::Exact(values) => {
                let mut next = expected(dist, values);
                if let Earned::Exact(rewards) = earned {
                    next += &self.reward_of(rewards, state, place);
                }
                let value = &values[state as usize];
                match is_upper {
                    true => *value >= next,
                    false => *value <= next,
                }
            }
            Numbers::Units { values, .. } => {
                let value = values[state as usize];
                let earned = match earned {
                    Earned::Units(rewards, units) => {
                        let choice = self.lpts.choice_range(state).start + place;
                        let of_state = units[rewards.states[state as usize] as usize];
                        let of_choice = units[rewards.choices[choice] as usize];
                        match of_state.checked_add(of_choice) {
                            Some(earned) => earned,
                            None => return !is_upper,
                        }
                    }
                    _ => 0,
                };
                // What is left of the number is compared with what comes after.
                match (value.checked_sub(earned), is_upper) {
                    (None, is_upper) => !is_upper,
                    (Some(rest), is_upper) => compare(dist, rest, values, is_upper),
                }
            }
        }
    }

    /// The choices of a state that count, by place; none if the one that is meant is not there.
    fn counted(&self, scheduler: &[u32], state: State) -> Option<std::ops::Range<usize>> {
        let count = self.lpts.choices(state).len();
        match scheduler.get(state as usize) {
            None => Some(0..count),
            Some(one) => ((*one as usize) < count).then_some(*one as usize..*one as usize + 1),
        }
    }

    pub(super) fn inductive(
        &mut self,
        until: &Until<'_>,
        aim: Aim,
        given: &Inductive,
    ) -> Result<(), Flaw> {
        let states = self.lpts.states();
        let needed = |wanted: bool| if wanted { states } else { 0 };
        require(
            given.values.len() == states
                && given.ranks.len() == needed(!aim.is_upper)
                && given.scheduler.len() == needed(!aim.every_choice()),
            "a bound does not fit the states",
        )?;
        check_bits(&given.values)?;
        for state in self.all() {
            self.alive()?;
            let at = state as usize;
            let fine = if !until.open(state) {
                settled(&given.values, at, until.right[at], aim.is_upper)
            } else if aim.is_upper {
                !is_negative(&given.values, at) && self.kept(state, given, aim, until)
            } else {
                !given.values.is_positive(at) || self.kept(state, given, aim, until)
            };
            require(fine, "a bound is not kept by a step")?;
        }
        Ok(())
    }

    fn kept(&self, state: State, given: &Inductive, aim: Aim, until: &Until<'_>) -> bool {
        if self.lpts.choices(state).is_empty() {
            // It stays: fine from above, never an end from below.
            return aim.is_upper;
        }
        let Some(mut places) = self.counted(&given.scheduler, state) else {
            return false;
        };
        let lower = |target: &State| {
            !until.open(*target)
                || !given.values.is_positive(*target as usize)
                || given.ranks[*target as usize] < given.ranks[state as usize]
        };
        places.all(|place| {
            let targets = self.lpts.dist(self.lpts.choices(state)[place].dist);
            self.step(&given.values, &Earned::Nothing, state, place, aim.is_upper)
                && (aim.is_upper || targets.targets().iter().any(lower))
        })
    }

    pub(super) fn reward_inductive(
        &mut self,
        rewards: &Rewards,
        goal: &[bool],
        aim: Aim,
        given: &RewardBound,
    ) -> Result<(), Flaw> {
        let states = self.lpts.states();
        let fits = |list: &[u32], wanted: bool| list.len() == if wanted { states } else { 0 };
        let ascending = given.infinite.windows(2).all(|w| w[0] < w[1]);
        let below = given.infinite.last().is_none_or(|s| (*s as usize) < states);
        require(
            given.values.len() == states
                && fits(&given.ranks, true)
                && fits(&given.scheduler, !aim.every_choice())
                && ascending
                && below,
            "a bound does not fit the states",
        )?;
        check_bits(&given.values)?;
        let mut infinite = vec![false; states];
        given
            .infinite
            .iter()
            .for_each(|s| infinite[*s as usize] = true);
        let earned = match &given.values {
            Numbers::Exact(_) => Earned::Exact(rewards),
            Numbers::Units { bits, .. } => {
                let unit = Int::from(1i64 << bits);
                let all = rewards.distinct.iter();
                let all = all.map(|r| units(r, &unit, aim.is_upper));
                match all.collect() {
                    Some(all) => Earned::Units(rewards, all),
                    None => return super::wrong("a reward is too large for the bound"),
                }
            }
        };
        let it = Claimed {
            given,
            goal,
            infinite: &infinite,
            earned,
        };
        for state in self.all() {
            self.alive()?;
            let at = state as usize;
            let fine = match (aim.is_upper, infinite[at]) {
                (true, true) => true,
                (false, true) => !goal[at] && self.never(state, &it, aim),
                (true, false) => {
                    !is_negative(&given.values, at) && (goal[at] || self.costs(state, &it, aim))
                }
                (false, false) => {
                    !given.values.is_positive(at) || (!goal[at] && self.costs(state, &it, aim))
                }
            };
            require(fine, "a bound on a reward is not kept by a step")?;
        }
        Ok(())
    }

    /// Is a finite amount kept by the choices that count?
    fn costs(&self, state: State, it: &Claimed<'_>, aim: Aim) -> bool {
        let choices = self.lpts.choices(state);
        if choices.is_empty() {
            // It stays forever without reaching the goal: infinite, so any lower amount is right.
            return !aim.is_upper;
        }
        let Some(mut places) = self.counted(&it.given.scheduler, state) else {
            return false;
        };
        let rank = it.given.ranks[state as usize];
        places.all(|place| {
            let targets = self.lpts.dist(choices[place].dist).targets();
            let leads_to_infinite = targets.iter().any(|t| it.infinite[*t as usize]);
            if leads_to_infinite {
                // Of the least reward this choice costs more than any number; else the amount would not be finite.
                return !aim.is_upper && !aim.greatest;
            }
            let nearer = |t: &State| {
                let at = *t as usize;
                it.goal[at]
                    || it.given.ranks[at] < rank
                    || (!aim.is_upper && !it.given.values.is_positive(at))
            };
            let ranked = (!aim.is_upper && !aim.greatest) || targets.iter().any(nearer);
            ranked && self.step(&it.given.values, &it.earned, state, place, aim.is_upper)
        })
    }

    /// Is the goal not reached almost surely?
    fn never(&self, state: State, it: &Claimed<'_>, aim: Aim) -> bool {
        let choices = self.lpts.choices(state);
        if choices.is_empty() {
            return true;
        }
        let Some(mut places) = self.counted(&it.given.scheduler, state) else {
            return false;
        };
        let rank = it.given.ranks[state as usize];
        let below = |t: &State| it.infinite[*t as usize] && it.given.ranks[*t as usize] < rank;
        let same = |t: &State| it.infinite[*t as usize] && it.given.ranks[*t as usize] <= rank;
        places.all(|place| {
            let targets = self.lpts.dist(choices[place].dist).targets();
            let stays = match aim.greatest {
                true => rank == 0 && targets.iter().all(same),
                false => targets.iter().all(same),
            };
            stays || targets.iter().any(below)
        })
    }
}

struct Claimed<'a> {
    given: &'a RewardBound,
    goal: &'a [bool],
    infinite: &'a [bool],
    earned: Earned<'a>,
}

fn check_bits(numbers: &Numbers) -> Result<(), Flaw> {
    let fine = match numbers {
        Numbers::Exact(_) => true,
        Numbers::Units { bits, .. } => *bits <= Numbers::BITS,
    };
    require(fine, "a bound has too many binary digits")
}

fn is_negative(numbers: &Numbers, state: usize) -> bool {
    match numbers {
        Numbers::Exact(values) => values[state].is_negative(),
        Numbers::Units { .. } => false,
    }
}

/// Is the number of a state right whose probability is 0 or 1?
fn settled(numbers: &Numbers, state: usize, truth: bool, is_upper: bool) -> bool {
    match numbers {
        Numbers::Exact(values) => {
            let truth: Rat = number(truth);
            match is_upper {
                true => values[state] >= truth,
                false => values[state] <= truth,
            }
        }
        Numbers::Units { bits, values } => {
            let truth = if truth { 1u64 << bits } else { 0 };
            match is_upper {
                true => values[state] >= truth,
                false => values[state] <= truth,
            }
        }
    }
}

/// Is a number at least (or at most) the mean of the numbers after a choice? The engine has its own copy on purpose: what it looks for
/// and what is accepted here must not go wrong together.
fn compare(dist: Dist<'_>, number: u64, values: &[u64], is_upper: bool) -> bool {
    let targets = dist.targets().iter().map(|t| values[*t as usize]);
    let order = match dist.weights() {
        // The weights add up to less than 2^64, so no product and no sum reaches 2^128.
        Weights::Small(weights) => {
            let pairs = targets.zip(weights);
            let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            (u128::from(number) * total).cmp(&sum)
        }
        Weights::Big(_) => {
            let pairs = targets.enumerate();
            let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
                &sum + &(&Int::from(v) * &dist.weight(at))
            });
            (&Int::from(number) * &dist.total()).cmp(&sum)
        }
    };
    match is_upper {
        true => order.is_ge(),
        false => order.is_le(),
    }
}
