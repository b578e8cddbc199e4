//! The greatest or least probability of an until, in every state: exactly where that is feasible, else between bounds.
//!
//! States where the graph settles it come first; the others are left to [`super::solve`].

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{Bound, Inductive, Numbers};

use super::compact::Task;
use super::graph::{distances, forced, minus, settled_greatest, settled_least};
use super::mdp::{Mdp, states_where};

/// How hard to try for exact numbers.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How much work to put into exact numbers: about the binary digits of all numbers met, long ones counting more, and more for a
    /// system with many branches. 0 leaves exact numbers to systems that the graph settles.
    pub digits: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { digits: 3_000_000 }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// No more than the probability.
    pub lower: Numbers,
    /// No less; none if the lower numbers are exact.
    pub upper: Option<Numbers>,
    /// A choice for every state, counted within it, that reaches the lower numbers (of a greatest probability) or the upper ones
    /// (of a least).
    scheduler: Vec<u32>,
    /// What makes the lower numbers a lower bound.
    ranks: Vec<u32>,
    greatest: bool,
}

impl Solution {
    /// The bounds of that side.
    pub fn values(&self, upper: bool) -> &Numbers {
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
            values: self.values(upper).clone(),
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
    /// Not decided here.
    Unsupported(&'static str),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
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
        true => settled_greatest(mdp, left, right, cx)?,
        false => settled_least(mdp, left, right, cx)?,
    };
    let mut one = settled.one;
    one.union_with(right);
    let open = minus(&minus(left, &settled.zero), &one);
    let task = Task {
        mdp,
        greatest,
        rewards: None,
        open: &open,
        one: &one,
        within: None,
    };
    let solved = super::solve::solve(&task, effort, cx)?;
    let mut scheduler = settled.scheduler;
    for (state, choice) in solved.scheduler {
        scheduler[state as usize] = choice;
    }
    let lower = solved.lower;
    let positive = states_where(mdp.states(), |s| {
        lower.is_positive(s as usize) && !right.contains(s as usize)
    });
    let mut ends = positive.clone();
    ends.toggle_range(..);
    let (ranked, ranks) = match greatest {
        true => distances(mdp, &positive, &ends, &scheduler, cx)?,
        false => forced(mdp, &positive, &ends, cx)?,
    };
    debug_assert!(positive.is_subset(left));
    if !ranked.is_full() {
        return Err(Failure::Imprecise);
    }
    Ok(Solution {
        lower,
        upper: solved.upper,
        scheduler,
        ranks,
        greatest,
    })
}
