//! The greatest or least probability of an until within so many steps, in every state.

use fixedbitset::FixedBitSet;
use suppose_model::markov::{Bound, State, Weights};
use suppose_number::{Int, Rat};
use suppose_refine::{Context, Stopped};

use super::mdp::Mdp;
use super::number::{DIGITS, of_units, size};

/// Numbers for every state, and the bound that says so.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub values: Vec<Rat>,
    pub bound: Bound,
}

fn exact_start(right: &FixedBitSet, states: usize) -> Vec<Rat> {
    let number = |s| {
        if right.contains(s) {
            Rat::ONE
        } else {
            Rat::ZERO
        }
    };
    (0..states).map(number).collect()
}

/// Exactly, or none if it takes more binary digits (of all numbers met) than allowed.
pub(super) fn exact(
    mdp: &Mdp<'_>,
    open: &FixedBitSet,
    right: &FixedBitSet,
    greatest: bool,
    steps: u64,
    mut digits: u64,
    cx: &Context,
) -> Result<Option<Steps>, Stopped> {
    let mut values = exact_start(right, mdp.states());
    for _ in 0..steps {
        let mut next = values.clone();
        for state in open.ones() {
            cx.check()?;
            let choices = mdp.choices(state as State);
            let all = choices.map(|c| mdp.expected(c, &values));
            let best = match greatest {
                true => all.max(),
                false => all.min(),
            };
            if let Some(best) = best {
                let cost = size(&best) as u64;
                if digits < cost {
                    return Ok(None);
                }
                digits -= cost;
                next[state] = best;
            }
        }
        if next == values {
            break;
        }
        values = next;
    }
    Ok(Some(Steps {
        values,
        bound: Bound::Steps { steps, bits: None },
    }))
}

/// Rounded up or down at every step. If it takes more looks at branches than allowed: from below, what fewer steps
/// give; from above none.
#[allow(clippy::too_many_arguments)] // one call, and each says something else
pub(super) fn rounded(
    mdp: &Mdp<'_>,
    open: &FixedBitSet,
    right: &FixedBitSet,
    greatest: bool,
    steps: u64,
    up: bool,
    mut looks: u64,
    cx: &Context,
) -> Result<Option<Steps>, Stopped> {
    let number = |s| if right.contains(s) { 1u64 << DIGITS } else { 0 };
    let mut values: Vec<u64> = (0..mdp.states()).map(number).collect();
    let mut next = values.clone();
    let mut done = steps;
    for step in 0..steps {
        let mut changed = false;
        if looks == 0 {
            if up {
                return Ok(None);
            }
            done = step;
            break;
        }
        for (count, state) in open.ones().enumerate() {
            if count % 256 == 0 {
                cx.check()?;
            }
            let choices = mdp.choices(state as State);
            let all = choices.map(|c| mean(mdp, c, &values, up, &mut looks));
            let best = match greatest {
                true => all.max(),
                false => all.min(),
            };
            next[state] = best.unwrap_or(values[state]);
            changed |= next[state] != values[state];
        }
        if !changed {
            break;
        }
        std::mem::swap(&mut values, &mut next);
    }
    let bits = Some(DIGITS);
    Ok(Some(Steps {
        values: values.into_iter().map(of_units).collect(),
        bound: Bound::Steps { steps: done, bits },
    }))
}

fn mean(mdp: &Mdp<'_>, choice: usize, values: &[u64], up: bool, looks: &mut u64) -> u64 {
    let dist = mdp.dist(choice);
    *looks = looks.saturating_sub(dist.len() as u64);
    let targets = dist.targets().iter().map(|t| values[*t as usize]);
    match dist.weights() {
        // The weights add up to less than 2^64 and the numbers are at most 2^60.
        Weights::Small(weights) => {
            let pairs = targets.zip(weights);
            let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            (if up { sum.div_ceil(total) } else { sum / total }) as u64
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
            whole.to_i64().map_or(0, |w| w as u64)
        }
    }
}
