//! This many steps, one after another: untils within them, what comes before an until, and rewards.

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{Bound, Numbers, Rewards, State, Weights};
use suppose_number::{Int, Rat};

use super::exact::{cost, spend};
use super::mdp::Mdp;
use super::number::{DIGITS, units};

/// Numbers for every state, and the bound that says so.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub values: Numbers,
    pub bound: Bound,
}

/// What one step does.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub mdp: &'a Mdp<'a>,
    pub greatest: bool,
    /// The states where the best choice counts.
    pub open: &'a FixedBitSet,
    /// In others it becomes 0 with the first step; else it stays.
    pub clears: bool,
    /// What is earned with every step.
    pub rewards: Option<&'a Rewards>,
}

impl Walk<'_> {
    fn best<T: Ord>(&self, all: impl Iterator<Item = T>) -> Option<T> {
        match self.greatest {
            true => all.max(),
            false => all.min(),
        }
    }

    fn clear<T: Clone>(&self, values: &mut [T], zero: &T) {
        if self.clears {
            for (state, value) in values.iter_mut().enumerate() {
                if !self.open.contains(state) {
                    *value = zero.clone();
                }
            }
        }
    }

    /// Exactly, or none if it takes more work than allowed.
    pub fn exact(
        &self,
        mut values: Vec<Rat>,
        steps: u64,
        work: &mut u64,
        cx: &Context,
    ) -> Result<Option<Vec<Rat>>, Stopped> {
        for step in 0..steps {
            let mut next = values.clone();
            if step == 0 {
                self.clear(&mut next, &Rat::ZERO);
            }
            for state in self.open.ones() {
                cx.check()?;
                let choices = self.mdp.choices(state as State);
                let all = choices.map(|c| {
                    let after = self.mdp.expected(c, &values);
                    match self.rewards {
                        Some(r) => &(&after + r.state(state)) + r.choice(c),
                        None => after,
                    }
                });
                let best = self.best(all).unwrap_or_else(|| match self.rewards {
                    Some(r) => &values[state] + r.state(state),
                    None => values[state].clone(),
                });
                if !spend(work, cost(&best)) {
                    return Ok(None);
                }
                next[state] = best;
            }
            if next == values {
                break;
            }
            values = next;
        }
        Ok(Some(values))
    }

    /// Rounded up or down at every step. If it takes more looks at branches than allowed: how many steps were made.
    pub fn rounded(
        &self,
        mut values: Vec<u64>,
        steps: u64,
        bits: u32,
        up: bool,
        looks: &mut u64,
        cx: &Context,
    ) -> Result<(Option<Vec<u64>>, u64), Stopped> {
        let earned: Option<Vec<u64>> = match self.rewards {
            None => Some(Vec::new()),
            Some(r) => r.distinct.iter().map(|r| units(r, bits, up)).collect(),
        };
        let Some(earned) = earned else {
            return Ok((None, 0));
        };
        let open: Vec<u32> = self.open.ones().map(|s| s as u32).collect();
        let mut next = values.clone();
        for step in 0..steps {
            if *looks == 0 {
                return Ok((Some(values), step));
            }
            let mut changed = false;
            if step == 0 {
                self.clear(&mut next, &0);
                changed = next != values;
            }
            for (count, state) in open.iter().enumerate() {
                if count % 256 == 0 {
                    cx.check()?;
                }
                let at = *state as usize;
                let of_state = self.rewards.map_or(0, |r| earned[r.states[at] as usize]);
                let choices = self.mdp.choices(*state);
                let mut best: Option<u64> = choices
                    .is_empty()
                    .then(|| values[at].checked_add(of_state))
                    .flatten();
                for choice in choices {
                    let own = self
                        .rewards
                        .map_or(0, |r| earned[r.choices[choice] as usize]);
                    let now = mean(self.mdp, choice, &values, up, looks)
                        .and_then(|m| m.checked_add(of_state)?.checked_add(own));
                    let Some(now) = now else {
                        return Ok((None, step));
                    };
                    best = Some(match best {
                        None => now,
                        Some(best) if self.greatest => best.max(now),
                        Some(best) => best.min(now),
                    });
                }
                let Some(best) = best else {
                    return Ok((None, step));
                };
                next[at] = best;
                changed |= best != values[at];
            }
            if !changed {
                break;
            }
            std::mem::swap(&mut values, &mut next);
            if step == 0 && self.clears {
                next.copy_from_slice(&values);
            }
        }
        Ok((Some(values), steps))
    }
}

/// A start of 1 in these states and 0 elsewhere.
pub(super) fn ones(set: &FixedBitSet, one: u64) -> Vec<u64> {
    (0..set.len())
        .map(|s| if set.contains(s) { one } else { 0 })
        .collect()
}

/// An until within this many steps. None if it is too much work, from above.
pub(super) fn within(
    walk: &Walk<'_>,
    right: &FixedBitSet,
    steps: u64,
    up: bool,
    work: &mut u64,
    mut looks: u64,
    cx: &Context,
) -> Result<Option<Steps>, Stopped> {
    let start = |s: usize| match right.contains(s) {
        true => Rat::ONE,
        false => Rat::ZERO,
    };
    let start: Vec<Rat> = (0..right.len()).map(start).collect();
    if let Some(values) = walk.exact(start, steps, work, cx)? {
        return Ok(Some(Steps {
            values: Numbers::Exact(values),
            bound: Bound::Steps { steps, bits: None },
        }));
    }
    let start = ones(right, 1 << DIGITS);
    let (values, done) = walk.rounded(start, steps, DIGITS, up, &mut looks, cx)?;
    let Some(values) = values.filter(|_| done == steps || !up) else {
        return Ok(None);
    };
    Ok(Some(Steps {
        values: Numbers::Units {
            bits: DIGITS,
            values,
        },
        bound: Bound::Steps {
            steps: done,
            bits: Some(DIGITS),
        },
    }))
}

fn mean(mdp: &Mdp<'_>, choice: usize, values: &[u64], up: bool, looks: &mut u64) -> Option<u64> {
    let dist = mdp.dist(choice);
    *looks = looks.saturating_sub(dist.len() as u64);
    let targets = dist.targets().iter().map(|t| values[*t as usize]);
    match dist.weights() {
        // The weights add up to less than 2^64, so the sum is below 2^128.
        Weights::Small(weights) => {
            let pairs = targets.zip(weights);
            let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            u64::try_from(if up { sum.div_ceil(total) } else { sum / total }).ok()
        }
        Weights::Big(_) => {
            let pairs = targets.enumerate();
            let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
                &sum + &(&Int::from(v) * &dist.weight(at))
            });
            let whole = match up {
                true => sum.div_ceil(&dist.total()),
                false => sum.div_floor(&dist.total()).0,
            };
            whole.to_i64().and_then(|w| u64::try_from(w).ok())
        }
    }
}
