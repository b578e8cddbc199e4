//! Where formulas are true: sets of states that err on one side, with the bounds that prove it.
//!
//! This is the same walk over the formula as that of the checker of certificates, with the bounds computed and not given.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use suppose_model::markov::{Bound, PathFormula, Side, State, StateFormula};
use suppose_number::Rat;
use suppose_refine::Context;

use super::graph::minus;
use super::mdp::{Mdp, states_where};
use super::steps;
use super::until::{Effort, Failure, Solution, solve};

/// A question about an until.
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
}

/// At most so many looks at branches for the steps of one until.
const LOOKS: u64 = 4_000_000_000;

impl<'a> Evaluation<'a> {
    pub fn new(mdp: &'a Mdp<'a>, effort: Effort, cx: &'a Context) -> Self {
        Evaluation {
            mdp,
            effort,
            cx,
            solved: Vec::new(),
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
                comparison,
                bound,
                paths,
            } => {
                let greatest = comparison.is_upper();
                let upper = greatest == (side == Side::Inside);
                let values = self.paths(paths, greatest, upper, bounds)?;
                states_where(count, |s| comparison.allows(&values[s as usize], bound))
            }
        })
    }

    /// Bounds from above or below on the greatest or least probability of paths.
    pub fn paths(
        &mut self,
        paths: &PathFormula,
        greatest: bool,
        upper: bool,
        bounds: &mut Vec<Bound>,
    ) -> Result<Vec<Rat>, Failure> {
        let side = match upper {
            true => Side::Outside,
            false => Side::Inside,
        };
        match paths {
            PathFormula::Next(of) => {
                let truth = self.states(of, side, bounds)?;
                Ok(self.next(&truth, greatest)?)
            }
            PathFormula::Until { left, right, steps } => {
                let left = self.states(left, side, bounds)?;
                let right = self.states(right, side, bounds)?;
                let question = Question {
                    left,
                    right,
                    greatest,
                };
                let (values, bound) = match steps {
                    None => {
                        let solution = self.until(question)?;
                        (solution.values(upper).to_vec(), solution.bound(upper))
                    }
                    Some(steps) => self.within(question, *steps, upper)?,
                };
                bounds.push(bound);
                Ok(values)
            }
            // Formulas come without it.
            PathFormula::Globally { .. } => Err(Failure::Imprecise),
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
    fn until(&mut self, question: Question) -> Result<Rc<Solution>, Failure> {
        if let Some((_, known)) = self.solved.iter().find(|(q, _)| *q == question) {
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
        self.solved.push((question, solution.clone()));
        Ok(solution)
    }

    fn within(
        &mut self,
        question: Question,
        count: u64,
        upper: bool,
    ) -> Result<(Vec<Rat>, Bound), Failure> {
        let open = minus(&question.left, &question.right);
        let greatest = question.greatest;
        let (mdp, right) = (self.mdp, &question.right);
        let digits = self.effort.digits / 8;
        let mut found = steps::exact(mdp, &open, right, greatest, count, digits, self.cx)?;
        if found.is_none() {
            found = steps::rounded(mdp, &open, right, greatest, count, upper, LOOKS, self.cx)?;
        }
        match found {
            Some(found) => Ok((found.values, found.bound)),
            // From above, no more than in any number of steps.
            None => {
                let solution = self.until(question)?;
                Ok((solution.values(true).to_vec(), solution.bound(true)))
            }
        }
    }
}
