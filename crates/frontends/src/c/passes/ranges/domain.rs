//! What is known of variables at a place: an interval for each.

use std::collections::BTreeMap;

use suppose_number::Int;

use super::interval::{
    Interval, converted, decided, exact, hull, is_inside, meet, point, truth, truths,
};
use crate::c::ir::{Expr, ExprKind, OpKind, Program, VarId};
use crate::c::types::{BinaryOp, IntType, Semantics};

/// Intervals of variables. One that is missing has some value of its type.
pub(super) type Env = BTreeMap<VarId, Interval>;

#[derive(Clone, Copy)]
pub(super) struct Domain<'a> {
    pub(super) program: &'a Program,
    pub(super) semantics: Semantics,
}

impl Domain<'_> {
    pub(super) fn whole(self, var: VarId) -> Interval {
        self.semantics.range(self.program.var(var).ty)
    }

    pub(super) fn get(self, env: &Env, var: VarId) -> Interval {
        env.get(&var).cloned().unwrap_or_else(|| self.whole(var))
    }

    pub(super) fn set(self, env: &mut Env, var: VarId, value: Interval) {
        let whole = self.whole(var);
        match meet(&value, &whole) {
            Some(value) if value != whole => env.insert(var, value),
            _ => env.remove(&var),
        };
    }

    /// What is known when one of two is.
    pub(super) fn join(self, a: &Env, b: &Env) -> Env {
        let mut both = Env::new();
        for (var, first) in a {
            if let Some(second) = b.get(var) {
                self.set(&mut both, *var, hull(first, second));
            }
        }
        both
    }

    /// The values of an expression.
    pub(super) fn eval(self, env: &Env, expr: &Expr) -> Interval {
        match &expr.kind {
            ExprKind::Const(n) => point(n),
            ExprKind::Var(var) => self.get(env, *var),
            ExprKind::Convert(inner) => converted(self.semantics, expr.ty, &self.eval(env, inner)),
            ExprKind::Not(inner) => match decided(&self.eval(env, inner)) {
                Some(t) => truth(!t),
                None => truths(),
            },
            ExprKind::And(a, b) => match (self.truth(env, a), self.truth(env, b)) {
                (Some(false), _) | (_, Some(false)) => truth(false),
                (Some(true), Some(true)) => truth(true),
                _ => truths(),
            },
            ExprKind::Or(a, b) => match (self.truth(env, a), self.truth(env, b)) {
                (Some(true), _) | (_, Some(true)) => truth(true),
                (Some(false), Some(false)) => truth(false),
                _ => truths(),
            },
            ExprKind::Ite(condition, a, b) => self.chosen(env, condition, a, b),
            ExprKind::Fits(op, a, b) => match self.exact(env, *op, a, b) {
                Some(n) => {
                    let range = self.semantics.range(a.ty);
                    match (is_inside(&n, &range), meet(&n, &range)) {
                        (true, _) => truth(true),
                        (_, None) => truth(false),
                        _ => truths(),
                    }
                }
                None => truths(),
            },
            ExprKind::Binary(op, a, b) => self.result(env, *op, a, b, expr.ty),
        }
    }

    pub(super) fn truth(self, env: &Env, expr: &Expr) -> Option<bool> {
        decided(&self.eval(env, expr))
    }

    fn chosen(self, env: &Env, condition: &Expr, a: &Expr, b: &Expr) -> Interval {
        let side = |truth: bool, part: &Expr| {
            let mut env = env.clone();
            self.assume(&mut env, condition, truth)
                .then(|| self.eval(&env, part))
        };
        match (side(true, a), side(false, b)) {
            (Some(a), Some(b)) => hull(&a, &b),
            (Some(one), None) | (None, Some(one)) => one,
            // The place is not reached: any answer will do.
            (None, None) => self.semantics.range(a.ty),
        }
    }

    /// The exact results of an operator. Of a question about a remainder, the quotient counts.
    pub(super) fn exact(self, env: &Env, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Interval> {
        let (x, y) = (self.eval(env, a), self.eval(env, b));
        let op = if op == BinaryOp::Rem {
            BinaryOp::Div
        } else {
            op
        };
        exact(self.semantics, op, a.ty, &x, &y)
    }

    fn result(self, env: &Env, op: BinaryOp, a: &Expr, b: &Expr, ty: IntType) -> Interval {
        let (x, y) = (self.eval(env, a), self.eval(env, b));
        let range = self.semantics.range(ty);
        let Some(found) = exact(self.semantics, op, a.ty, &x, &y) else {
            return range;
        };
        if op.is_comparison() {
            return found;
        }
        if self.semantics.is_checked(op, a.ty) {
            // What does not fit was stopped before.
            return meet(&found, &range).unwrap_or(range);
        }
        converted(self.semantics, ty, &found)
    }

    pub(super) fn step(self, env: &mut Env, kind: &OpKind) {
        match kind {
            OpKind::Assign(var, value) => {
                let value = self.eval(env, value);
                self.set(env, *var, value);
            }
            OpKind::Havoc(var, _) => {
                env.remove(var);
            }
            OpKind::Enter(..) | OpKind::Leave | OpKind::Memory(_) => {}
        }
    }

    /// Keeps what fits to a condition. False if nothing does.
    pub(super) fn assume(self, env: &mut Env, condition: &Expr, holds: bool) -> bool {
        if self.truth(env, condition) == Some(!holds) {
            return false;
        }
        match &condition.kind {
            ExprKind::Not(inner) => self.assume(env, inner, !holds),
            ExprKind::And(a, b) if holds => self.assume(env, a, true) && self.assume(env, b, true),
            ExprKind::Or(a, b) if !holds => {
                self.assume(env, a, false) && self.assume(env, b, false)
            }
            // One of them, and if it cannot be the one, it is the other.
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                match (self.truth(env, a), self.truth(env, b)) {
                    (Some(t), _) if t != holds => self.assume(env, b, holds),
                    (_, Some(t)) if t != holds => self.assume(env, a, holds),
                    _ => true,
                }
            }
            ExprKind::Convert(inner) if condition.ty == IntType::Bool => {
                self.assume(env, inner, holds)
            }
            ExprKind::Fits(op, a, b) if holds => {
                let range = self.semantics.range(a.ty);
                self.narrow_result(env, *op, a, b, &range)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.compared(env, *op, a, b, holds)
            }
            _ => {
                let found = self.eval(env, condition);
                if !holds {
                    return self.narrow(env, condition, &point(&Int::ZERO));
                }
                match without(&found, &Int::ZERO) {
                    Some(rest) => self.narrow(env, condition, &rest),
                    None => false,
                }
            }
        }
    }

    fn compared(self, env: &mut Env, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) -> bool {
        use BinaryOp::*;
        let op = match (op, holds) {
            (op, true) => op,
            (Lt, false) => Ge,
            (Le, false) => Gt,
            (Gt, false) => Le,
            (Ge, false) => Lt,
            (Eq, false) => Ne,
            (_, false) => Eq,
        };
        let (x, y) = (self.eval(env, a), self.eval(env, b));
        let one = &Int::ONE;
        let below = |of: &Interval, n: Int| (of.0.clone().min(n.clone()), n);
        let above = |of: &Interval, n: Int| (n.clone(), of.1.clone().max(n));
        let (left, right) = match op {
            Lt => (below(&x, &y.1 - one), above(&y, &x.0 + one)),
            Le => (below(&x, y.1.clone()), above(&y, x.0.clone())),
            Gt => (above(&x, &y.0 + one), below(&y, &x.1 - one)),
            Ge => (above(&x, y.0.clone()), below(&y, x.1.clone())),
            Eq => match meet(&x, &y) {
                Some(both) => (both.clone(), both),
                None => return false,
            },
            _ => {
                let cut = |of: &Interval, other: &Interval| match other.0 == other.1 {
                    true => without(of, &other.0),
                    false => Some(of.clone()),
                };
                match (cut(&x, &y), cut(&y, &x)) {
                    (Some(left), Some(right)) => (left, right),
                    _ => return false,
                }
            }
        };
        self.narrow(env, a, &left) && self.narrow(env, b, &right)
    }

    /// Keeps what makes an expression a number. False if nothing does.
    pub(super) fn is(self, env: &mut Env, expr: &Expr, number: &Int) -> bool {
        self.narrow(env, expr, &point(number))
    }

    /// Keeps what gives an expression a value of an interval. False if nothing does.
    fn narrow(self, env: &mut Env, expr: &Expr, to: &Interval) -> bool {
        let now = self.eval(env, expr);
        let Some(to) = meet(&now, to) else {
            return false;
        };
        if to == now {
            return true;
        }
        match &expr.kind {
            ExprKind::Var(var) => {
                self.set(env, *var, to);
                true
            }
            ExprKind::Convert(inner) if expr.ty != IntType::Bool => {
                let before = self.eval(env, inner);
                match is_inside(&before, &self.semantics.range(expr.ty)) {
                    true => self.narrow(env, inner, &to),
                    false => true,
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let found = self.exact(env, *op, a, b);
                let range = self.semantics.range(expr.ty);
                let is_exact = self.semantics.is_checked(*op, a.ty)
                    || found.is_some_and(|n| is_inside(&n, &range));
                !is_exact || self.narrow_result(env, *op, a, b, &to)
            }
            _ => true,
        }
    }

    /// Keeps what gives an exact result of an interval.
    fn narrow_result(self, env: &mut Env, op: BinaryOp, a: &Expr, b: &Expr, to: &Interval) -> bool {
        let (x, y) = (self.eval(env, a), self.eval(env, b));
        let (left, right) = match op {
            BinaryOp::Add => ((&to.0 - &y.1, &to.1 - &y.0), (&to.0 - &x.1, &to.1 - &x.0)),
            BinaryOp::Sub => ((&to.0 + &y.0, &to.1 + &y.1), (&x.0 - &to.1, &x.1 - &to.0)),
            _ => return true,
        };
        self.narrow(env, a, &left) && self.narrow(env, b, &right)
    }
}

/// An interval without a number at one of its ends.
fn without(a: &Interval, n: &Int) -> Option<Interval> {
    let mut rest = a.clone();
    if rest.0 == *n {
        rest.0 = &rest.0 + &Int::ONE;
    }
    if rest.1 == *n {
        rest.1 = &rest.1 - &Int::ONE;
    }
    (rest.0 <= rest.1).then_some(rest)
}
