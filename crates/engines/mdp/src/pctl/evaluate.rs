//! Where formulas are true: sets of states that err on one side, with the bounds that prove it.
//!
//! This is the same walk over the formula as that of the checker of certificates, with the bounds computed and not given.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use suppose_control::Context;
use suppose_model::mdp::{
    Amount, Bound, Numbers, PathFormula, RewardPaths, Rewards, Side, State, StateFormula,
};
use suppose_number::Rat;

use super::graph::minus;
use super::mdp::{Mdp, states_where};
use super::number::{DIGITS, to_float, units};
use super::reward::{self, Earnings};
use super::steps::{self, Walk};
use super::until::{Effort, Failure, Solution, solve};

/// A question about an until, or about a reward until the right side is true.
#[derive(Clone, PartialEq, Eq)]
struct Question {
    left: FixedBitSet,
    right: FixedBitSet,
    greatest: bool,
}

/// Evaluates formulas without `G` on one system.
pub(super) struct Evaluation<'a> {
    pub mdp: &'a Mdp<'a>,
    effort: Effort,
    cx: &'a Context,
    solved: Vec<(Question, Rc<Solution>)>,
    earned: Vec<(u32, Question, Rc<Earnings>)>,
}

/// An amount for every state.
pub(super) enum Amounts {
    Numbers(Numbers),
    Earned(Rc<Earnings>, bool),
}

impl Amounts {
    pub fn get(&self, state: usize) -> Amount {
        match self {
            Amounts::Numbers(numbers) => Amount::Finite(numbers.get(state)),
            Amounts::Earned(earnings, upper) => earnings.amount(state, *upper),
        }
    }
}

/// At most this many looks at branches for the steps of one until.
const LOOKS: u64 = 4_000_000_000;

impl<'a> Evaluation<'a> {
    pub fn new(mdp: &'a Mdp<'a>, effort: Effort, cx: &'a Context) -> Self {
        Evaluation {
            mdp,
            effort,
            cx,
            solved: Vec::new(),
            earned: Vec::new(),
        }
    }

    /// The states that satisfy a formula, erring on that side only. The bounds that show it are added to those given.
    pub fn states(
        &mut self,
        formula: &StateFormula,
        side: Side,
        bounds: &mut Vec<Bound>,
    ) -> Result<FixedBitSet, Failure> {
        let count = self.mdp.states();
        let lpts = self.mdp.lpts;
        Ok(match formula {
            StateFormula::True => states_where(count, |_| true),
            StateFormula::False => states_where(count, |_| false),
            StateFormula::Proposition(number) => {
                states_where(count, |s| lpts.satisfies(s, *number) == Some(true))
            }
            StateFormula::Deadlock => states_where(count, |s| lpts.choices(s).is_empty()),
            StateFormula::Not(of) => {
                let mut of = self.states(of, side.flipped(), bounds)?;
                of.toggle_range(..);
                of
            }
            StateFormula::And(parts) => {
                let mut all = states_where(count, |_| true);
                for part in parts {
                    all.intersect_with(&self.states(part, side, bounds)?);
                }
                all
            }
            StateFormula::Or(parts) => {
                let mut any = states_where(count, |_| false);
                for part in parts {
                    any.union_with(&self.states(part, side, bounds)?);
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
                let upper = greatest == (side == Side::Inside);
                let amounts = self.value(formula, greatest, upper, bounds)?;
                states_where(count, |s| {
                    comparison.allows_amount(&amounts.get(s as usize), bound)
                })
            }
        })
    }

    /// Bounds from above or below on what a formula compares.
    pub fn value(
        &mut self,
        formula: &StateFormula,
        greatest: bool,
        upper: bool,
        bounds: &mut Vec<Bound>,
    ) -> Result<Amounts, Failure> {
        match formula {
            StateFormula::Probability { paths, .. } => self
                .paths(paths, greatest, upper, bounds)
                .map(Amounts::Numbers),
            StateFormula::Reward {
                structure, paths, ..
            } => self.reward(*structure, paths, greatest, upper, bounds),
            _ => Err(Failure::Unsupported("the formula compares nothing")),
        }
    }

    fn side(upper: bool) -> Side {
        match upper {
            true => Side::Outside,
            false => Side::Inside,
        }
    }

    /// Bounds from above or below on the greatest or least probability of paths.
    fn paths(
        &mut self,
        paths: &PathFormula,
        greatest: bool,
        upper: bool,
        bounds: &mut Vec<Bound>,
    ) -> Result<Numbers, Failure> {
        let side = Self::side(upper);
        match paths {
            PathFormula::Next(of) => {
                let truth = self.states(of, side, bounds)?;
                Ok(Numbers::Exact(self.next(&truth, greatest)?))
            }
            PathFormula::Until { left, right, steps } => {
                let left = self.states(left, side, bounds)?;
                let right = self.states(right, side, bounds)?;
                let question = Question {
                    left,
                    right,
                    greatest,
                };
                let to = steps.to.map(|to| to.checked_sub(steps.from));
                let (values, bound) = match to {
                    // No step counts.
                    Some(None) => {
                        let values = vec![0; self.mdp.states()];
                        let bound = Bound::Steps {
                            steps: 0,
                            bits: None,
                        };
                        (Numbers::Units { bits: 0, values }, bound)
                    }
                    to => self.counting_now(&question, to.flatten(), upper)?,
                };
                let (values, bound) = match steps.from {
                    0 => (values, bound),
                    from => self.later(&question, from, upper, values, bound)?,
                };
                bounds.push(bound);
                Ok(values)
            }
            // Formulas come without these.
            PathFormula::Globally { .. } | PathFormula::Not(_) => {
                Err(Failure::Unsupported("the formula is not in normal form"))
            }
        }
    }

    fn next(&self, truth: &FixedBitSet, greatest: bool) -> Result<Vec<Rat>, Failure> {
        let number = |s| match truth.contains(s) {
            true => Rat::ONE,
            false => Rat::ZERO,
        };
        let values: Vec<Rat> = (0..self.mdp.states()).map(number).collect();
        let mut result = Vec::with_capacity(values.len());
        for state in 0..self.mdp.states() {
            self.cx.check()?;
            let choices = self.mdp.choices(state as State);
            let all = choices.map(|c| self.mdp.expected(c, &values));
            let best = match greatest {
                true => all.max(),
                false => all.min(),
            };
            result.push(best.unwrap_or_else(|| values[state].clone()));
        }
        Ok(result)
    }

    /// The probability of an until without a bound on steps, computed once.
    fn until(&mut self, question: &Question) -> Result<Rc<Solution>, Failure> {
        if let Some((_, known)) = self.solved.iter().find(|(q, _)| q == question) {
            return Ok(known.clone());
        }
        let solution = Rc::new(solve(
            self.mdp,
            &question.left,
            &question.right,
            question.greatest,
            self.effort,
            self.cx,
        )?);
        self.solved.push((question.clone(), solution.clone()));
        Ok(solution)
    }

    /// An until that counts at once.
    fn counting_now(
        &mut self,
        question: &Question,
        to: Option<u64>,
        upper: bool,
    ) -> Result<(Numbers, Bound), Failure> {
        if let Some(count) = to {
            let open = minus(&question.left, &question.right);
            let walk = Walk {
                mdp: self.mdp,
                greatest: question.greatest,
                open: &open,
                clears: false,
                rewards: None,
            };
            let mut work = self.effort.digits;
            let right = &question.right;
            let found = steps::within(&walk, right, count, upper, &mut work, LOOKS, self.cx)?;
            if let Some(found) = found {
                return Ok((found.values, found.bound));
            }
            // From above, no more than in any number of steps.
        }
        let solution = self.until(question)?;
        Ok((solution.values(upper).clone(), solution.bound(upper)))
    }

    /// This many steps in which only the left side is needed, before an until.
    fn later(
        &mut self,
        question: &Question,
        from: u64,
        upper: bool,
        values: Numbers,
        then: Bound,
    ) -> Result<(Numbers, Bound), Failure> {
        let walk = Walk {
            mdp: self.mdp,
            greatest: question.greatest,
            open: &question.left,
            clears: true,
            rewards: None,
        };
        let mut work = self.effort.digits;
        // 0 and 1 are exact too.
        let values = match values {
            Numbers::Units { bits: 0, .. } if work > 0 => Numbers::Exact(values.iter().collect()),
            values => values,
        };
        if let Numbers::Exact(values) = &values
            && let Some(values) = walk.exact(values.clone(), from, &mut work, self.cx)?
        {
            let bound = Bound::Later {
                steps: from,
                bits: None,
                then: Box::new(then),
            };
            return Ok((Numbers::Exact(values), bound));
        }
        let start: Option<Vec<u64>> = match values {
            Numbers::Units { bits, values } if bits == DIGITS => Some(values),
            other => other.iter().map(|v| units(&v, DIGITS, upper)).collect(),
        };
        let mut looks = LOOKS;
        let start = start.ok_or(Failure::Imprecise)?;
        let (values, done) = walk.rounded(start, from, DIGITS, upper, &mut looks, self.cx)?;
        let (Some(values), true) = (values, done == from) else {
            return Err(Failure::Unsupported("these are too many steps"));
        };
        let bound = Bound::Later {
            steps: from,
            bits: Some(DIGITS),
            then: Box::new(then),
        };
        let bits = DIGITS;
        Ok((Numbers::Units { bits, values }, bound))
    }

    /// Bounds on an expected reward.
    fn reward(
        &mut self,
        structure: u32,
        paths: &RewardPaths,
        greatest: bool,
        upper: bool,
        bounds: &mut Vec<Bound>,
    ) -> Result<Amounts, Failure> {
        let Some(rewards) = self.mdp.lpts.rewards(structure) else {
            return Err(Failure::Unsupported("the system has no such rewards"));
        };
        match paths {
            RewardPaths::Until(goal) => {
                // The sooner the goal, the less is earned.
                let goal = self.states(goal, Self::side(upper).flipped(), bounds)?;
                let question = Question {
                    left: FixedBitSet::new(),
                    right: goal,
                    greatest,
                };
                let mut known = self.earned.iter();
                let known = known.find(|(s, q, _)| *s == structure && *q == question);
                let earnings = match known {
                    Some((_, _, known)) => known.clone(),
                    None => {
                        let goal = &question.right;
                        let found =
                            reward::solve(self.mdp, rewards, goal, greatest, self.effort, self.cx)?;
                        let found = Rc::new(found);
                        self.earned.push((structure, question, found.clone()));
                        found
                    }
                };
                bounds.push(earnings.bound(upper));
                Ok(Amounts::Earned(earnings, upper))
            }
            RewardPaths::Within(steps) => {
                let zero = vec![Rat::ZERO; self.mdp.states()];
                self.earning(rewards, zero, *steps, true, greatest, upper, bounds)
            }
            RewardPaths::After(steps) => {
                let own = (0..self.mdp.states()).map(|s| rewards.state(s).clone());
                self.earning(
                    rewards,
                    own.collect(),
                    *steps,
                    false,
                    greatest,
                    upper,
                    bounds,
                )
            }
        }
    }

    /// What is earned in this many steps, or, if it does not add up, after them.
    #[allow(clippy::too_many_arguments)] // two calls, and each says something else
    fn earning(
        &mut self,
        rewards: &Rewards,
        start: Vec<Rat>,
        steps: u64,
        adds_up: bool,
        greatest: bool,
        upper: bool,
        bounds: &mut Vec<Bound>,
    ) -> Result<Amounts, Failure> {
        let open = states_where(self.mdp.states(), |_| true);
        let walk = Walk {
            mdp: self.mdp,
            greatest,
            open: &open,
            clears: false,
            rewards: adds_up.then_some(rewards),
        };
        let mut work = self.effort.digits;
        if let Some(values) = walk.exact(start.clone(), steps, &mut work, self.cx)? {
            bounds.push(Bound::Steps { steps, bits: None });
            return Ok(Amounts::Numbers(Numbers::Exact(values)));
        }
        let most = rewards.distinct.iter().map(to_float).fold(0.0, f64::max);
        let times = if adds_up { steps as f64 } else { 1.0 };
        let most = (2.0 * most * times + 2.0).log2().ceil();
        let bits = DIGITS.saturating_sub(most as u32 + 1);
        let start: Option<Vec<u64>> = start.iter().map(|r| units(r, bits, upper)).collect();
        let start = start.ok_or(Failure::Imprecise)?;
        let mut looks = LOOKS;
        let (values, done) = walk.rounded(start, steps, bits, upper, &mut looks, self.cx)?;
        let Some(values) = values.filter(|_| done == steps || (adds_up && !upper)) else {
            return Err(Failure::Unsupported("these are too many steps"));
        };
        bounds.push(Bound::Steps {
            steps: done,
            bits: Some(bits),
        });
        Ok(Amounts::Numbers(Numbers::Units { bits, values }))
    }
}
