//! The open part of a decision process in flat arrays: what value iteration reads, and its strongly connected components.

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::graph::Components;
use suppose_model::mdp::{Rewards, State};

use super::graph::POLL;
use super::mdp::Mdp;
use super::number::to_float;

/// What is to be solved: `x = best over choices (reward + expected x)` in the open states, given `x` elsewhere.
pub(super) struct Task<'a> {
    pub mdp: &'a Mdp<'a>,
    /// The greatest solution over schedulers, or the least?
    pub greatest: bool,
    /// None: probabilities.
    pub rewards: Option<&'a Rewards>,
    /// The states to be solved.
    pub open: &'a FixedBitSet,
    /// Where it is 1 and not open; it is 0 in all other states.
    pub one: &'a FixedBitSet,
    /// The states that choices may lead to; others are left out. None: all states.
    pub within: Option<&'a FixedBitSet>,
}

impl Task<'_> {
    /// Does a choice count?
    pub fn allows(&self, choice: usize) -> bool {
        self.within.is_none_or(|set| {
            let mut targets = self.mdp.targets(choice).iter();
            targets.all(|t| set.contains(*t as usize))
        })
    }

    /// May a scheduler stay among some open states forever at no cost? Then these states have one value, that of the best way out.
    pub fn may_stay(&self) -> bool {
        self.greatest == self.rewards.is_none()
    }

    /// Is nothing earned by a choice?
    pub fn is_free(&self, choice: usize) -> bool {
        self.rewards.is_none_or(|r| {
            r.state(self.mdp.owner(choice) as usize).is_zero() && r.choice(choice).is_zero()
        })
    }

    /// Is `a` better than `b`?
    pub fn better<T: PartialOrd>(&self, a: &T, b: &T) -> bool {
        match self.greatest {
            true => a > b,
            false => a < b,
        }
    }
}

/// Open states by number, their choices and branches one after another.
pub(super) struct Compact {
    /// The states, ascending.
    pub states: Vec<State>,
    /// For each state of the system its number here, or `u32::MAX`.
    pub local: Vec<u32>,
    /// Where the choices of a state begin.
    pub first: Vec<u32>,
    /// The number of a choice over all states.
    pub choice: Vec<u32>,
    /// What a choice earns, and the expectation outside.
    pub constant: Vec<f64>,
    /// Where the branches of a choice begin.
    pub begin: Vec<u32>,
    pub target: Vec<u32>,
    pub probability: Vec<f64>,
}

impl Compact {
    pub fn new(task: &Task<'_>, cx: &Context) -> Result<Self, Stopped> {
        let states: Vec<State> = task.open.ones().map(|s| s as State).collect();
        let mut local = vec![u32::MAX; task.mdp.states()];
        for (number, state) in states.iter().enumerate() {
            local[*state as usize] = number as u32;
        }
        let earned: Option<Vec<f64>> = task
            .rewards
            .map(|r| r.distinct.iter().map(to_float).collect());
        let mut it = Compact {
            first: Vec::with_capacity(states.len() + 1),
            choice: Vec::new(),
            constant: Vec::new(),
            begin: vec![0],
            target: Vec::new(),
            probability: Vec::new(),
            states: Vec::new(),
            local,
        };
        for (at, state) in states.iter().enumerate() {
            if at % POLL == 0 {
                cx.check()?;
            }
            it.first.push(it.choice.len() as u32);
            for choice in task.mdp.choices(*state).filter(|c| task.allows(*c)) {
                let mut constant = match (&earned, task.rewards) {
                    (Some(earned), Some(r)) => {
                        earned[r.states[*state as usize] as usize]
                            + earned[r.choices[choice] as usize]
                    }
                    _ => 0.0,
                };
                for (target, probability) in task.mdp.about(choice) {
                    let to = it.local[target as usize];
                    if to != u32::MAX {
                        it.target.push(to);
                        it.probability.push(probability);
                    } else if task.one.contains(target as usize) {
                        constant += probability;
                    }
                }
                it.choice.push(choice as u32);
                it.constant.push(constant);
                it.begin.push(it.target.len() as u32);
            }
        }
        it.first.push(it.choice.len() as u32);
        it.states = states;
        Ok(it)
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The choices of a state, by their numbers here.
    pub fn choices(&self, at: usize) -> std::ops::Range<usize> {
        self.first[at] as usize..self.first[at + 1] as usize
    }

    pub fn branches(&self, choice: usize) -> std::ops::Range<usize> {
        self.begin[choice] as usize..self.begin[choice + 1] as usize
    }

    /// Where a choice leads among the open states.
    pub fn targets(&self, choice: usize) -> &[u32] {
        &self.target[self.branches(choice)]
    }

    /// Does a choice lead nowhere but to open states?
    pub fn stays(&self, task: &Task<'_>, choice: usize) -> bool {
        let all = task.mdp.targets(self.choice[choice] as usize).len();
        self.branches(choice).len() == all
    }

    /// What a choice is worth.
    pub fn worth(&self, choice: usize, values: &[f64]) -> f64 {
        let mut sum = self.constant[choice];
        for at in self.branches(choice) {
            sum += self.probability[at] * values[self.target[at] as usize];
        }
        sum
    }

    /// Where the branches of a state are, over all its choices.
    fn edges(&self, at: usize) -> std::ops::Range<usize> {
        let choices = self.choices(at);
        self.begin[choices.start] as usize..self.begin[choices.end] as usize
    }

    /// The strongly connected components, each after those it leads to: all states in that order, and where each component begins.
    pub fn components(&self, cx: &Context) -> Result<(Vec<u32>, Vec<u32>), Stopped> {
        let next = |state, at: &mut u32| {
            let to = *self.target[self.edges(state as usize)].get(*at as usize)?;
            *at += 1;
            Some(to)
        };
        let found = Components::find(self.len(), next, || cx.check())?;
        Ok((found.members, found.starts))
    }
}
