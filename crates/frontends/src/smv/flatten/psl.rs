//! Operators of PSL in the words of LTL. Runs have no end, so that weak and strong `next` are the same.

use suppose_model::fsm::{Formula, FormulaId, Linear, LinearPair};
use suppose_source::Diagnostic;

use super::super::ast::{Expr, ExprKind, PslOp};
use super::names::parts;
use super::spec::Logic;
use super::{Flattener, Lowered, Scope};

/// Longer waits are refused: each step of them is a part of the formula.
const LONGEST: u32 = 1_000;

/// Does a property have an operator of branching time?
pub(super) fn branches(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(it) = open.pop() {
        if matches!(it.kind, ExprKind::Branch(..) | ExprKind::BranchUntil(..)) {
            return true;
        }
        open.extend(parts(it));
    }
    false
}

impl<'a> Flattener<'a> {
    pub(super) fn psl(
        &mut self,
        scope: Scope,
        op: PslOp,
        all: &'a [Expr],
        whole: &Expr,
    ) -> Lowered<FormulaId> {
        match (op, all) {
            (PslOp::Until { strong, inclusive }, [a, b]) => {
                let a = self.formula(scope, a, Logic::Ltl)?;
                let b = self.formula(scope, b, Logic::Ltl)?;
                let goal = match inclusive {
                    true => self.make_formula(Formula::And([a, b].into())),
                    false => b,
                };
                Ok(self.waits(strong, a, goal))
            }
            (PslOp::Before { strong, inclusive }, [a, b]) => {
                let a = self.formula(scope, a, Logic::Ltl)?;
                let b = self.formula(scope, b, Logic::Ltl)?;
                let without = self.make_formula(Formula::Not(b));
                let goal = match inclusive {
                    true => a,
                    false => self.make_formula(Formula::And([a, without].into())),
                };
                Ok(self.waits(strong, without, goal))
            }
            (PslOp::Next { every }, [a, low, high]) => {
                let (low, high) = self.times(scope, low, high, 0)?;
                let a = self.formula(scope, a, Logic::Ltl)?;
                Ok(self.nearest(every, low, high, a, |it, later| {
                    it.make_formula(Formula::Linear(Linear::Next, None, later))
                }))
            }
            (PslOp::Event { every, strong }, [event, a, low, high]) => {
                let (low, high) = self.times(scope, low, high, 1)?;
                let event = self.formula(scope, event, Logic::Ltl)?;
                let a = self.formula(scope, a, Logic::Ltl)?;
                let without = self.make_formula(Formula::Not(event));
                let at = |it: &mut Self, then: FormulaId| {
                    let both = it.make_formula(Formula::And([event, then].into()));
                    it.waits(strong, without, both)
                };
                let found = self.nearest(every, low - 1, high - 1, a, |it, later| {
                    let then = at(it, later);
                    it.make_formula(Formula::Linear(Linear::Next, None, then))
                });
                Ok(at(self, found))
            }
            _ => Err(self.misplaced(whole)),
        }
    }

    /// The first until the second, which comes if it is strong.
    fn waits(&mut self, strong: bool, a: FormulaId, b: FormulaId) -> FormulaId {
        if strong {
            return self.make_formula(Formula::LinearPair(LinearPair::Until, a, b));
        }
        let either = self.make_formula(Formula::Or([a, b].into()));
        self.make_formula(Formula::LinearPair(LinearPair::Releases, b, either))
    }

    /// After this many to this many moves, in each of these moments or in one. A move must let `and` and `or` through: what holds after it of
    /// both holds of each.
    fn nearest(
        &mut self,
        every: bool,
        low: u32,
        high: u32,
        a: FormulaId,
        moved: impl Fn(&mut Self, FormulaId) -> FormulaId,
    ) -> FormulaId {
        let mut found = a;
        for left in (0..high).rev() {
            let later = moved(self, found);
            found = match (left >= low, every) {
                (false, _) => later,
                (true, true) => self.make_formula(Formula::And([a, later].into())),
                (true, false) => self.make_formula(Formula::Or([a, later].into())),
            };
        }
        found
    }

    fn times(
        &mut self,
        scope: Scope,
        low: &'a Expr,
        high: &'a Expr,
        least: u32,
    ) -> Lowered<(u32, u32)> {
        let numbers = (
            u32::try_from(self.constant_number(scope, low)?),
            u32::try_from(self.constant_number(scope, high)?),
        );
        match numbers {
            (Ok(a), Ok(b)) if least <= a && a <= b && b <= LONGEST => Ok((a, b)),
            _ => Err(
                Diagnostic::error(low.span.to(high.span), "this is not a repetition count").label(
                    format!("expected {least} to {LONGEST}, the smaller number first"),
                ),
            ),
        }
    }
}
