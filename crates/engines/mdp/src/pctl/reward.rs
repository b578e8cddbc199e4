//! The greatest or least expected reward until a goal is reached, in every state.
//!
//! The graph tells where it is infinite: where the goal may be missed (of the greatest), or must be (of the least). Elsewhere it is a task for [`super::solve`].

use fixedbitset::FixedBitSet;
use suppose_control::Context;
use suppose_model::mdp::{Amount, Bound, Numbers, RewardBound, Rewards, State};

use super::compact::Task;
use super::graph::{distances, forced, minus, nearest, rounds, settled_least};
use super::mdp::{Mdp, states_where};
use super::until::{Effort, Failure};

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Earnings {
    lower: Numbers,
    /// None if the lower numbers are exact.
    upper: Option<Numbers>,
    infinite: Vec<State>,
    scheduler: Vec<u32>,
    ranks: Vec<u32>,
    greatest: bool,
}

impl Earnings {
    /// The bound of that side on the reward from a state on.
    pub fn amount(&self, state: usize, upper: bool) -> Amount {
        if self.infinite.binary_search(&(state as State)).is_ok() {
            return Amount::Infinite;
        }
        Amount::Finite(self.values(upper).get(state))
    }

    fn values(&self, upper: bool) -> &Numbers {
        match &self.upper {
            Some(numbers) if upper => numbers,
            _ => &self.lower,
        }
    }

    /// As evidence.
    pub fn bound(&self, upper: bool) -> Bound {
        Bound::Reward(RewardBound {
            values: self.values(upper).clone(),
            infinite: self.infinite.clone(),
            ranks: self.ranks.clone(),
            scheduler: match self.greatest == upper {
                true => Vec::new(),
                false => self.scheduler.clone(),
            },
        })
    }
}

/// The expected reward until the goal is reached.
pub(super) fn solve(
    mdp: &Mdp<'_>,
    rewards: &Rewards,
    goal: &FixedBitSet,
    greatest: bool,
    effort: Effort,
    cx: &Context,
) -> Result<Earnings, Failure> {
    cx.check()?;
    let all = states_where(mdp.states(), |_| true);
    let (infinite, mut ranks, mut scheduler) = match greatest {
        true => {
            let settled = settled_least(mdp, &all, goal, cx)?;
            let missed = minus(&all, &settled.one);
            let (_, ranks, mut scheduler) = nearest(mdp, &missed, &settled.zero, cx)?;
            for state in settled.zero.ones() {
                scheduler[state] = settled.scheduler[state];
            }
            (missed, ranks, scheduler)
        }
        false => {
            let (infinite, ranks) = rounds(mdp, goal, cx)?;
            (infinite, ranks, vec![0; mdp.states()])
        }
    };
    let open = minus(&minus(&all, &infinite), goal);
    let mut finite = infinite.clone();
    finite.toggle_range(..);
    let none = FixedBitSet::with_capacity(mdp.states());
    let task = Task {
        mdp,
        greatest,
        rewards: Some(rewards),
        open: &open,
        one: &none,
        within: (!greatest).then_some(&finite),
    };
    let solved = super::solve::solve(&task, effort, cx)?;
    for (state, choice) in solved.scheduler {
        scheduler[state as usize] = choice;
    }
    let (ranked, near) = match greatest {
        true => forced(mdp, &open, goal, cx)?,
        false => distances(mdp, &open, goal, &scheduler, cx)?,
    };
    for state in open.ones() {
        if !ranked.contains(state) {
            return Err(Failure::Imprecise);
        }
        ranks[state] = near[state];
    }
    for state in goal.ones() {
        ranks[state] = 0;
    }
    Ok(Earnings {
        lower: solved.lower,
        upper: solved.upper,
        infinite: infinite.ones().map(|s| s as State).collect(),
        scheduler,
        ranks,
        greatest,
    })
}
