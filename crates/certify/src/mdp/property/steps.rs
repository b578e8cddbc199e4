//! Going through this many steps, exactly or with numbers that are rounded towards the side of the bound.

use suppose_model::mdp::{Dist, Numbers, Rewards, State, Weights};
use suppose_number::{Int, Rat};

use super::evaluation::{Aim, Evaluation, Until, number};
use super::{Flaw, require, wrong};

/// What one step does in a state.
enum Place<'a> {
    /// The number stays.
    Settled,
    /// The best choice counts.
    Open,
    /// It is 0.
    Zero,
    /// The best choice counts, with what is earned.
    Earning(&'a Rewards),
}

impl Evaluation<'_> {
    pub(super) fn exact_steps(
        &mut self,
        until: &Until<'_>,
        aim: Aim,
        steps: u64,
    ) -> Result<Numbers, Flaw> {
        let values = until.right.iter().map(|t| number(*t)).collect();
        let place = |state: State| match until.open(state) {
            true => Place::Open,
            false => Place::Settled,
        };
        self.exactly(values, aim, steps, place)
    }

    pub(super) fn rounded_steps(
        &mut self,
        until: &Until<'_>,
        aim: Aim,
        steps: u64,
        bits: u32,
    ) -> Result<Numbers, Flaw> {
        require(bits <= Numbers::BITS, "a bound has too many binary digits")?;
        let one = 1u64 << bits;
        let values = until.right.iter().map(|t| if *t { one } else { 0 });
        let place = |state: State| match until.open(state) {
            true => Place::Open,
            false => Place::Settled,
        };
        self.rounded(values.collect(), aim, steps, bits, place)
    }

    /// This many steps in which only the left side is needed, before these numbers.
    pub(super) fn before(
        &mut self,
        left: &[bool],
        aim: Aim,
        steps: u64,
        bits: Option<u32>,
        then: Numbers,
    ) -> Result<Numbers, Flaw> {
        let place = |state: State| match left[state as usize] {
            true => Place::Open,
            false => Place::Zero,
        };
        match (bits, then) {
            (None, then) => self.exactly(then.iter().collect(), aim, steps, place),
            (Some(bits), Numbers::Units { bits: own, values }) if own == bits => {
                self.rounded(values, aim, steps, bits, place)
            }
            (Some(bits), then) => {
                require(bits <= Numbers::BITS, "a bound has too many binary digits")?;
                let unit = Int::from(1i64 << bits);
                let values: Option<Vec<u64>> = then
                    .iter()
                    .map(|v| units(&v, &unit, aim.is_upper))
                    .collect();
                match values {
                    Some(values) => self.rounded(values, aim, steps, bits, place),
                    None => wrong("a bound is too large"),
                }
            }
        }
    }

    /// What is earned in this many steps, or, if it does not add up, what the state after them earns.
    pub(super) fn earned(
        &mut self,
        rewards: &Rewards,
        aim: Aim,
        steps: u64,
        bits: Option<u32>,
        adds_up: bool,
    ) -> Result<Numbers, Flaw> {
        let place = |_: State| match adds_up {
            true => Place::Earning(rewards),
            false => Place::Open,
        };
        let all = 0..self.lpts.states();
        let Some(bits) = bits else {
            let start = |s: usize| match adds_up {
                true => Rat::ZERO,
                false => rewards.state(s).clone(),
            };
            return self.exactly(all.map(start).collect(), aim, steps, place);
        };
        require(bits <= Numbers::BITS, "a bound has too many binary digits")?;
        let unit = Int::from(1i64 << bits);
        let start = |s: usize| match adds_up {
            true => Some(0),
            false => units(rewards.state(s), &unit, aim.is_upper),
        };
        match all.map(start).collect::<Option<Vec<u64>>>() {
            Some(values) => self.rounded(values, aim, steps, bits, place),
            None => wrong("a reward is too large"),
        }
    }

    fn exactly<'r>(
        &mut self,
        mut values: Vec<Rat>,
        aim: Aim,
        steps: u64,
        place: impl Fn(State) -> Place<'r>,
    ) -> Result<Numbers, Flaw> {
        for _ in 0..steps {
            let mut next = values.clone();
            for state in self.all() {
                self.alive()?;
                match place(state) {
                    Place::Settled => {}
                    Place::Zero => next[state as usize] = Rat::ZERO,
                    Place::Open => next[state as usize] = self.best(state, &values, aim.greatest),
                    Place::Earning(rewards) => {
                        next[state as usize] = self.best_earning(state, &values, aim, rewards);
                    }
                }
            }
            // From a fixed point on all steps are the same.
            if next == values {
                break;
            }
            values = next;
        }
        Ok(Numbers::Exact(values))
    }

    fn best_earning(&self, state: State, values: &[Rat], aim: Aim, rewards: &Rewards) -> Rat {
        let choices = self.lpts.choices(state).iter().enumerate();
        let all = choices.map(|(place, c)| {
            let after = super::evaluation::expected(self.lpts.dist(c.dist), values);
            &after + &self.reward_of(rewards, state, place)
        });
        let best = match aim.greatest {
            true => all.max(),
            false => all.min(),
        };
        best.unwrap_or_else(|| &values[state as usize] + rewards.state(state as usize))
    }

    /// In units of `2^-bits`, rounded towards the side of the bound.
    fn rounded<'r>(
        &mut self,
        mut values: Vec<u64>,
        aim: Aim,
        steps: u64,
        bits: u32,
        place: impl Fn(State) -> Place<'r>,
    ) -> Result<Numbers, Flaw> {
        let unit = Int::from(1i64 << bits);
        let mut next = values.clone();
        for _ in 0..steps {
            let mut changed = false;
            for state in self.all() {
                self.alive()?;
                let at = state as usize;
                let new = match place(state) {
                    Place::Settled => continue,
                    Place::Zero => Some(0),
                    Place::Open => self.best_units(state, &values, aim, |_| Some(0)),
                    Place::Earning(rewards) => {
                        let first = self.lpts.choice_range(state).start;
                        let of_state = units(rewards.state(at), &unit, aim.is_upper);
                        let earned = |choice: Option<usize>| {
                            let own = match choice {
                                Some(place) => {
                                    units(rewards.choice(first + place), &unit, aim.is_upper)?
                                }
                                None => 0,
                            };
                            of_state?.checked_add(own)
                        };
                        self.best_units(state, &values, aim, earned)
                    }
                };
                let Some(new) = new else {
                    return wrong("a bound is too large");
                };
                changed |= new != values[at];
                next[at] = new;
            }
            if !changed {
                break;
            }
            std::mem::swap(&mut values, &mut next);
        }
        Ok(Numbers::Units { bits, values })
    }

    /// The best of the choices of a state, which stays if it has none. None if it is too large.
    fn best_units(
        &self,
        state: State,
        values: &[u64],
        aim: Aim,
        earned: impl Fn(Option<usize>) -> Option<u64>,
    ) -> Option<u64> {
        let choices = self.lpts.choices(state);
        if choices.is_empty() {
            return values[state as usize].checked_add(earned(None)?);
        }
        let mut best: Option<u64> = None;
        for (place, choice) in choices.iter().enumerate() {
            let after = mean(self.lpts.dist(choice.dist), values, aim.is_upper)?;
            let now = after.checked_add(earned(Some(place))?)?;
            best = Some(match best {
                None => now,
                Some(best) if aim.greatest => best.max(now),
                Some(best) => best.min(now),
            });
        }
        best
    }
}

/// A number that is not negative in units, rounded up or down; none if it does not fit.
pub(super) fn units(number: &Rat, unit: &Int, up: bool) -> Option<u64> {
    let scaled = number.num() * unit;
    let whole = match up {
        true => scaled.div_ceil(number.den()),
        false => scaled.div_floor(number.den()).0,
    };
    whole.to_i64().and_then(|w| u64::try_from(w).ok())
}

/// The expectation, rounded up or down.
fn mean(dist: Dist<'_>, values: &[u64], up: bool) -> Option<u64> {
    let targets = dist.targets().iter().map(|t| values[*t as usize]);
    if let Weights::Small(weights) = dist.weights() {
        // The weights add up to less than 2^64, so the sum is below 2^128.
        let pairs = targets.zip(weights);
        let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
        let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
        let mean = if up { sum.div_ceil(total) } else { sum / total };
        return u64::try_from(mean).ok();
    }
    let pairs = targets.enumerate();
    let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
        &sum + &(&Int::from(v) * &dist.weight(at))
    });
    let total = dist.total();
    let mean = match up {
        true => sum.div_ceil(&total),
        false => sum.div_floor(&total).0,
    };
    mean.to_i64().and_then(|m| u64::try_from(m).ok())
}
