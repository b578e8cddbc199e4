//! Obligations whose question the solver does not decide become two.
//!
//! The solver gives up on a question about integers that takes too long. The same question about half of the values may be
//! easy: equations that branching does not come to an end with are decided at once when one more variable has a value.
//! The halves are obligations like any other, so what is learned of them is learned as always; the whole is reached if one
//! of them is, and excluded when both are.

use suppose_model::chc::{Lin, Node, Pred, Sort, TermId, Var};
use suppose_number::Int;

use super::Engine;
use super::obligations::Status;
use super::search::Answer;
use super::summaries::FOREVER;

/// So many obligations are split in one run.
const SPLITS: usize = 500;

impl Engine<'_> {
    /// Asks for the halves of an obligation instead; false if it cannot be halved.
    pub(super) fn split(&mut self, number: usize) -> bool {
        let it = self.obligations.get(number);
        let (pred, level, cube) = (it.pred, it.level, it.cube.clone());
        if self.splits >= SPLITS || it.halves.is_some() {
            return false;
        }
        let Some(low) = self.half(pred, &cube) else {
            return false;
        };
        self.splits += 1;
        let high = self.terms.not(low);
        let halves = [low, high].map(|half| {
            let mut cube = cube.clone();
            cube.push(half);
            self.obligations.add(pred, cube, level, Some(number))
        });
        self.obligations.get_mut(number).halves = Some(halves);
        true
    }

    /// What is known of an obligation from its halves at its level.
    pub(super) fn known_by_halves(&mut self, number: usize) -> Option<Answer> {
        let it = self.obligations.get(number);
        let (level, halves) = (it.level, it.halves?);
        let mut excluded = true;
        for half in halves.map(|half| self.obligations.get(half)) {
            match half.state {
                Status::Reached(fact) => return Some(Answer::Reached(fact)),
                Status::Excluded => excluded &= half.level >= level,
                // Raised after it was excluded.
                Status::Open => excluded &= half.level > level,
            }
        }
        if excluded {
            return Some(Answer::Excluded);
        }
        // It was raised meanwhile, and the halves were not.
        let pred = it.pred;
        for half in halves {
            let cube = self.obligations.get(half).cube.clone();
            self.obligations.add(pred, cube, level, Some(number));
        }
        Some(Answer::Waits)
    }

    /// A literal that halves a cube: a parameter that is true or false, or an integer of the smallest range.
    fn half(&mut self, pred: Pred, cube: &[TermId]) -> Option<TermId> {
        let formals = self.preds[pred.index()].formals.clone();
        let mut known: Vec<TermId> = cube.to_vec();
        let lemmas = self.preds[pred.index()].lemmas.iter();
        let forever = lemmas.filter(|&&l| self.lemmas[l].level == FOREVER);
        known.extend(forever.map(|&l| self.lemmas[l].formula));
        let mut best: Option<(Int, Var, Int)> = None;
        for var in formals {
            match self.terms.sort(var) {
                Sort::Bool => {
                    let itself = self.terms.var(var);
                    let not = self.terms.not(itself);
                    if !known.contains(&itself) && !known.contains(&not) {
                        return Some(itself);
                    }
                }
                Sort::Int => {
                    let Some((lower, upper)) = self.range(var, &known) else {
                        continue;
                    };
                    let range = &upper - &lower;
                    if range.is_positive() && best.as_ref().is_none_or(|(least, ..)| range < *least)
                    {
                        let middle = (&lower + &upper).div_floor(&Int::from(2)).0;
                        best = Some((range, var, middle));
                    }
                }
                Sort::Real => {}
            }
        }
        let (_, var, middle) = best?;
        Some(self.terms.le(Lin::var(var).plus(-&middle)))
    }

    /// The least and the largest value of an integer that literals about it alone allow.
    fn range(&self, var: Var, literals: &[TermId]) -> Option<(Int, Int)> {
        let (mut lower, mut upper): (Option<Int>, Option<Int>) = (None, None);
        for &literal in literals {
            let lit = self.terms.literal(literal);
            let (lin, both) = match self.terms.node(lit.atom) {
                Node::Le(lin) => (lin, false),
                Node::Eq(lin) if lit.positive => (lin, true),
                _ => continue,
            };
            let [(of, factor)] = lin.terms.as_slice() else {
                continue;
            };
            if *of != var || !factor.is_one() {
                continue;
            }
            let at = -&lin.constant;
            if both || !lit.positive {
                let least = if both { at.clone() } else { &at + &Int::ONE };
                lower = Some(lower.map_or(least.clone(), |old| old.max(least)));
            }
            if lit.positive {
                upper = Some(upper.map_or(at.clone(), |old| old.min(at)));
            }
        }
        Some((lower?, upper?))
    }
}
