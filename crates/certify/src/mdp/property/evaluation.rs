//! The walk over a formula: which states satisfy it, erring on one side only, and the values that the bounds of the evidence give.

use suppose_control::Context;
use suppose_model::mdp::{
    Amount, Bound, Dist, Halted, Lpts, Numbers, PathFormula, RewardPaths, Rewards, Side, State,
    StateFormula, Steps,
};
use suppose_number::Rat;

use super::{Flaw, require, wrong};

#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Bounds are given, with the number of the next one.
    Evidence(&'a [Bound]),
    /// None are needed: branches lead to higher numbers only.
    Acyclic,
}

/// Which number a bound is about, and from which side.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    pub(super) greatest: bool,
    pub(super) is_upper: bool,
}

impl Aim {
    /// Must all choices of a state obey?
    pub(super) fn every_choice(self) -> bool {
        self.greatest == self.is_upper
    }
}

pub(super) struct Until<'a> {
    pub(super) left: &'a [bool],
    pub(super) right: &'a [bool],
    pub(super) steps: Steps,
}

impl Until<'_> {
    /// Is the probability not settled in that state by the state alone?
    pub(super) fn open(&self, state: State) -> bool {
        self.left[state as usize] && !self.right[state as usize]
    }
}

/// An amount for every state.
pub(super) struct Amounts {
    values: Numbers,
    /// Ascending.
    infinite: Vec<State>,
}

impl Amounts {
    pub(super) fn get(&self, state: usize) -> Amount {
        match self.infinite.binary_search(&(state as State)) {
            Ok(_) => Amount::Infinite,
            Err(_) => Amount::Finite(self.values.get(state)),
        }
    }
}

impl From<Numbers> for Amounts {
    fn from(values: Numbers) -> Self {
        let infinite = Vec::new();
        Amounts { values, infinite }
    }
}

pub(super) struct Evaluation<'a> {
    pub(super) lpts: &'a Lpts,
    source: Source<'a>,
    next: usize,
    cx: &'a Context,
    asked: u32,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(lpts: &'a Lpts, source: Source<'a>, cx: &'a Context) -> Self {
        Evaluation {
            lpts,
            source,
            next: 0,
            cx,
            asked: 0,
        }
    }

    pub(super) fn finish(&self) -> Result<(), Flaw> {
        match self.source {
            Source::Evidence(bounds) => require(
                self.next == bounds.len(),
                "there are more bounds than needed",
            ),
            Source::Acyclic => Ok(()),
        }
    }

    pub(super) fn all(&self) -> std::ops::Range<State> {
        0..self.lpts.states() as State
    }

    /// Polls for cancellation.
    pub(super) fn alive(&mut self) -> Result<(), Flaw> {
        self.asked = self.asked.wrapping_add(1);
        if !self.asked.is_multiple_of(256) {
            return Ok(());
        }
        self.cx
            .check()
            .map_err(|why| Flaw::Halted(Halted::Stopped(why)))
    }

    /// The states that satisfy a formula, erring on that side only.
    pub(super) fn states(&mut self, formula: &StateFormula, side: Side) -> Result<Vec<bool>, Flaw> {
        Ok(match formula {
            StateFormula::True => vec![true; self.lpts.states()],
            StateFormula::False => vec![false; self.lpts.states()],
            StateFormula::Proposition(number) => {
                let truth = |s| self.lpts.satisfies(s, *number) == Some(true);
                self.all().map(truth).collect()
            }
            StateFormula::Deadlock => {
                let stuck = |s| self.lpts.choices(s).is_empty();
                self.all().map(stuck).collect()
            }
            StateFormula::Not(of) => {
                let of = self.states(of, side.flipped())?;
                of.into_iter().map(|truth| !truth).collect()
            }
            StateFormula::And(parts) => {
                let mut all = vec![true; self.lpts.states()];
                for part in parts {
                    let part = self.states(part, side)?;
                    all.iter_mut().zip(part).for_each(|(a, p)| *a &= p);
                }
                all
            }
            StateFormula::Or(parts) => {
                let mut any = vec![false; self.lpts.states()];
                for part in parts {
                    let part = self.states(part, side)?;
                    any.iter_mut().zip(part).for_each(|(a, p)| *a |= p);
                }
                any
            }
            StateFormula::Probability {
                comparison, bound, ..
            }
            | StateFormula::Reward {
                comparison, bound, ..
            } => {
                let greatest = comparison.is_upper();
                let is_upper = greatest == (side == Side::Inside);
                let amounts = self.value(formula, Aim { greatest, is_upper })?;
                let mut truth = Vec::with_capacity(self.lpts.states());
                let mut infinite = amounts.infinite.iter().peekable();
                for state in self.all() {
                    let is_infinite = infinite.next_if_eq(&&state).is_some();
                    truth.push(match is_infinite {
                        true => comparison.allows_amount(&Amount::Infinite, bound),
                        false => comparison.allows(&amounts.values.get(state as usize), bound),
                    });
                }
                truth
            }
        })
    }

    /// A bound on what a formula compares, in every state.
    pub(super) fn value(&mut self, formula: &StateFormula, aim: Aim) -> Result<Amounts, Flaw> {
        match formula {
            StateFormula::Probability { paths, .. } => Ok(self.paths(paths, aim)?.into()),
            StateFormula::Reward {
                structure, paths, ..
            } => self.reward(*structure, paths, aim),
            _ => wrong("the formula compares nothing"),
        }
    }

    /// The bound of the evidence that comes next.
    fn given(&mut self) -> Result<&'a Bound, Flaw> {
        let Source::Evidence(bounds) = self.source else {
            return wrong("a tree shows nothing about this");
        };
        let Some(bound) = bounds.get(self.next) else {
            return wrong("a bound is missing");
        };
        self.next += 1;
        Ok(bound)
    }

    /// All path formulas are monotone, so the arguments err in the same direction as the bound.
    fn side(aim: Aim) -> Side {
        match aim.is_upper {
            true => Side::Outside,
            false => Side::Inside,
        }
    }

    /// A bound on the probability of paths in every state.
    fn paths(&mut self, paths: &PathFormula, aim: Aim) -> Result<Numbers, Flaw> {
        match paths {
            PathFormula::Next(of) => {
                let truth = self.states(of, Self::side(aim))?;
                let values: Vec<Rat> = truth.iter().map(|t| number(*t)).collect();
                let best = |s| self.best(s, &values, aim.greatest);
                Ok(Numbers::Exact(self.all().map(best).collect()))
            }
            PathFormula::Until { left, right, steps } => {
                let left = self.states(left, Self::side(aim))?;
                let right = self.states(right, Self::side(aim))?;
                let until = Until {
                    left: &left,
                    right: &right,
                    steps: *steps,
                };
                match self.source {
                    Source::Acyclic => self.acyclic(&until, aim),
                    Source::Evidence(_) => {
                        let bound = self.given()?;
                        self.bound(&until, aim, bound)
                    }
                }
            }
            PathFormula::Globally { .. } | PathFormula::Not(_) => {
                wrong("the formula is not in normal form")
            }
        }
    }

    /// The greatest or least expectation over the choices of a state, which stays if it has none.
    pub(super) fn best(&self, state: State, values: &[Rat], greatest: bool) -> Rat {
        let choices = self.lpts.choices(state).iter();
        let all = choices.map(|c| expected(self.lpts.dist(c.dist), values));
        let best = match greatest {
            true => all.max(),
            false => all.min(),
        };
        best.unwrap_or_else(|| values[state as usize].clone())
    }

    fn acyclic(&mut self, until: &Until<'_>, aim: Aim) -> Result<Numbers, Flaw> {
        require(
            until.steps.from == 0,
            "a tree is about steps from the first on",
        )?;
        let mut depth = vec![0u64; self.lpts.states()];
        for state in self.all().rev() {
            let choices = self.lpts.choices(state).iter();
            let targets = choices.flat_map(|c| self.lpts.dist(c.dist).targets());
            let below = targets.map(|t| depth[*t as usize] + 1).max();
            depth[state as usize] = below.unwrap_or(0);
        }
        let longest = depth.iter().copied().max().unwrap_or(0);
        if let Some(steps) = until.steps.to.filter(|steps| *steps < longest) {
            return self.exact_steps(until, aim, steps);
        }
        let mut values = vec![Rat::ZERO; self.lpts.states()];
        for state in self.all().rev() {
            self.alive()?;
            if until.right[state as usize] {
                values[state as usize] = Rat::ONE;
            } else if until.left[state as usize] {
                values[state as usize] = self.best(state, &values, aim.greatest);
            }
        }
        Ok(Numbers::Exact(values))
    }

    fn bound(&mut self, until: &Until<'_>, aim: Aim, bound: &Bound) -> Result<Numbers, Flaw> {
        if until.steps.from > 0 {
            let Bound::Later { steps, bits, then } = bound else {
                return wrong("a bound does not count the steps before");
            };
            require(
                *steps == until.steps.from,
                "a bound is about another number of steps",
            )?;
            let to = until.steps.to.map(|to| to.checked_sub(*steps));
            if to == Some(None) {
                // No step counts.
                let values = vec![0; self.lpts.states()];
                return Ok(Numbers::Units { bits: 0, values });
            }
            let rest = Until {
                steps: Steps::from(to.flatten()),
                ..*until
            };
            let values = self.bound(&rest, aim, then)?;
            return self.before(until.left, aim, *steps, *bits, values);
        }
        match bound {
            Bound::Steps { steps, bits } => {
                let covers = match (aim.is_upper, until.steps.to) {
                    (true, Some(asked)) => *steps >= asked,
                    (true, None) => false,
                    (false, Some(asked)) => *steps <= asked,
                    (false, None) => true,
                };
                require(covers, "a bound is about another number of steps")?;
                match bits {
                    None => self.exact_steps(until, aim, *steps),
                    Some(bits) => self.rounded_steps(until, aim, *steps, *bits),
                }
            }
            Bound::Inductive(given) => {
                require(
                    aim.is_upper || until.steps.to.is_none(),
                    "a lower bound forever says nothing about a bounded number of steps",
                )?;
                self.inductive(until, aim, given)?;
                Ok(given.values.clone())
            }
            Bound::Later { .. } | Bound::Reward(_) => wrong("a bound is of another kind"),
        }
    }

    /// A bound on an expected reward in every state.
    fn reward(&mut self, structure: u32, paths: &RewardPaths, aim: Aim) -> Result<Amounts, Flaw> {
        let Some(rewards) = self.lpts.rewards(structure) else {
            return wrong("the system has no such rewards");
        };
        let fits = rewards.states.len() == self.lpts.states()
            && rewards.choices.len() == self.lpts.all_choices().len()
            && rewards.distinct.iter().all(|r| !r.is_negative());
        require(fits, "the rewards do not fit the system")?;
        match paths {
            RewardPaths::Until(goal) => {
                // The sooner the goal, the less is earned.
                let goal = self.states(goal, Self::side(aim).flipped())?;
                let Bound::Reward(given) = self.given()? else {
                    return wrong("a bound is of another kind");
                };
                self.reward_inductive(rewards, &goal, aim, given)?;
                Ok(Amounts {
                    values: given.values.clone(),
                    infinite: given.infinite.clone(),
                })
            }
            RewardPaths::Within(asked) => {
                let (steps, bits) = self.given_steps()?;
                let covers = match aim.is_upper {
                    true => steps >= *asked,
                    false => steps <= *asked,
                };
                require(covers, "a bound is about another number of steps")?;
                self.earned(rewards, aim, steps, bits, true)
                    .map(Amounts::from)
            }
            RewardPaths::After(asked) => {
                let (steps, bits) = self.given_steps()?;
                require(steps == *asked, "a bound is about another number of steps")?;
                self.earned(rewards, aim, steps, bits, false)
                    .map(Amounts::from)
            }
        }
    }

    fn given_steps(&mut self) -> Result<(u64, Option<u32>), Flaw> {
        match self.given()? {
            Bound::Steps { steps, bits } => Ok((*steps, *bits)),
            _ => wrong("a bound is of another kind"),
        }
    }

    /// The number over all states of a choice that is given by its place in its state.
    pub(super) fn reward_of(&self, rewards: &Rewards, state: State, place: usize) -> Rat {
        let choice = self.lpts.choice_range(state).start + place;
        rewards.state(state as usize) + rewards.choice(choice)
    }
}

pub(super) fn number(truth: bool) -> Rat {
    if truth { Rat::ONE } else { Rat::ZERO }
}

pub(super) fn expected(dist: Dist<'_>, values: &[Rat]) -> Rat {
    if let Some(only) = dist.dirac() {
        return values[only as usize].clone();
    }
    let mut sum = Rat::ZERO;
    for (at, target) in dist.targets().iter().enumerate() {
        sum.add_product(&Rat::from(dist.weight(at)), &values[*target as usize]);
    }
    &sum / &Rat::from(dist.total())
}
