//! Expressions to linear arithmetic.

use suppose_model::chc::{Lin, Sort, TermId, Terms, Var};
use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::block::Path;
use super::scratch::{Key, Origin, Scratch, Val};
use super::{Encoder, Result};
use crate::c::ir::{Expr, ExprKind, VarId};
use crate::c::types::{BinaryOp, IntType, mask, power};

impl Encoder<'_> {
    /// The value of an expression on a path; what defines new variables goes to the path.
    pub(super) fn eval(&self, scratch: &mut Scratch, expr: &Expr, path: &mut Path) -> Result<Val> {
        match &expr.kind {
            ExprKind::Const(n) => Ok(Val::Num(Lin::constant(n.clone()))),
            ExprKind::Var(var) => Ok(match path.env.get(var) {
                Some(value) => value.clone(),
                None => self.unknown(scratch, *var, path),
            }),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Fits(..) => {
                Ok(Val::Truth(self.condition(scratch, expr, path)?))
            }
            ExprKind::Convert(inner) => {
                if expr.ty == IntType::Bool {
                    return Ok(Val::Truth(self.condition(scratch, inner, path)?));
                }
                match self.eval(scratch, inner, path)? {
                    Val::Num(lin) if expr.exact => Ok(Val::Num(lin)),
                    Val::Num(lin) => Ok(Val::Num(self.wrapped(scratch, lin, expr.ty, path))),
                    truth => Ok(truth),
                }
            }
            ExprKind::Ite(condition, a, b) => {
                let condition = self.condition(scratch, condition, path)?;
                let a = self.eval(scratch, a, path)?;
                let b = self.eval(scratch, b, path)?;
                Ok(scratch.choice(condition, a, b, path))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                Ok(Val::Truth(self.condition(scratch, expr, path)?))
            }
            ExprKind::Binary(op, a, b) => {
                let lin = match self.arithmetic(scratch, *op, a, b, expr.span, path)? {
                    Val::Num(lin) => lin,
                    truth => return Ok(truth),
                };
                // What a checked operator cannot give was asked about before.
                if expr.exact || self.semantics.is_checked(*op, a.ty) {
                    return Ok(Val::Num(lin));
                }
                Ok(Val::Num(self.wrapped(scratch, lin, expr.ty, path)))
            }
        }
    }

    /// Is the exact result of an operator in the range of a type?
    fn fits(
        &self,
        scratch: &mut Scratch,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        span: Span,
        path: &mut Path,
    ) -> Result<TermId> {
        // Whether a remainder is defined depends on the quotient.
        let op = match op {
            BinaryOp::Rem => BinaryOp::Div,
            other => other,
        };
        let value = self.arithmetic(scratch, op, a, b, span, path)?;
        let lin = scratch.number(&value, path);
        let (low, high) = self.semantics.range(a.ty);
        let (least, most) = scratch.range(&lin);
        let above = match least {
            Some(least) if least >= low => Terms::TRUE,
            _ => scratch.terms.le(lin.neg().plus(low)),
        };
        let below = match most {
            Some(most) if most <= high => Terms::TRUE,
            _ => scratch.terms.le(lin.plus(-&high)),
        };
        Ok(scratch.terms.and([above, below]))
    }

    fn unknown(&self, scratch: &mut Scratch, var: VarId, path: &mut Path) -> Val {
        let origin = Origin::Value(Lin::default());
        let new = self.program_var(scratch, var, origin, None, path);
        scratch.value_of(new)
    }

    /// Is an expression not 0?
    pub(super) fn condition(
        &self,
        scratch: &mut Scratch,
        expr: &Expr,
        path: &mut Path,
    ) -> Result<TermId> {
        match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.condition(scratch, inner, path)?;
                Ok(scratch.terms.not(inner))
            }
            ExprKind::And(a, b) => {
                let a = self.condition(scratch, a, path)?;
                let b = self.condition(scratch, b, path)?;
                Ok(scratch.terms.and([a, b]))
            }
            ExprKind::Or(a, b) => {
                let a = self.condition(scratch, a, path)?;
                let b = self.condition(scratch, b, path)?;
                Ok(scratch.terms.or([a, b]))
            }
            ExprKind::Convert(inner) if expr.ty == IntType::Bool => {
                self.condition(scratch, inner, path)
            }
            ExprKind::Fits(op, a, b) => self.fits(scratch, *op, a, b, expr.span, path),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.comparison(scratch, *op, a, b, path)
            }
            _ => {
                let value = self.eval(scratch, expr, path)?;
                Ok(scratch.truth(&value))
            }
        }
    }

    fn comparison(
        &self,
        scratch: &mut Scratch,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        path: &mut Path,
    ) -> Result<TermId> {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && let Some(equal) = self.remainder_test(scratch, a, b, path)?
        {
            return Ok(if op == BinaryOp::Eq {
                equal
            } else {
                scratch.terms.not(equal)
            });
        }
        let left = self.eval(scratch, a, path)?;
        let right = self.eval(scratch, b, path)?;
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let equal = if equality {
            scratch.truths_equal(&left, &right)
        } else {
            None
        };
        let equal = match equal {
            Some(equal) => equal,
            None => {
                let left = scratch.number(&left, path);
                let right = scratch.number(&right, path);
                let difference = left.sub(&right);
                match op {
                    BinaryOp::Lt => return Ok(scratch.terms.lt(difference)),
                    BinaryOp::Le => return Ok(scratch.terms.le(difference)),
                    BinaryOp::Gt => return Ok(scratch.terms.lt(difference.neg())),
                    BinaryOp::Ge => return Ok(scratch.terms.le(difference.neg())),
                    _ => scratch.terms.eq(difference),
                }
            }
        };
        Ok(if op == BinaryOp::Ne {
            scratch.terms.not(equal)
        } else {
            equal
        })
    }

    /// `e % d == c` needs no quotient: `d` divides `e - c`, and `e` has the sign of `c`.
    fn remainder_test(
        &self,
        scratch: &mut Scratch,
        a: &Expr,
        b: &Expr,
        path: &mut Path,
    ) -> Result<Option<TermId>> {
        for (rest, number) in [(a, b), (b, a)] {
            // Conversions around it keep the value if the types are large enough; only the plain form is taken.
            let (ExprKind::Binary(BinaryOp::Rem, e, d), ExprKind::Const(c)) =
                (&rest.kind, &number.kind)
            else {
                continue;
            };
            let ExprKind::Const(d) = &d.kind else {
                continue;
            };
            if d.is_zero() {
                continue;
            }
            if c.abs() >= d.abs() {
                return Ok(Some(Terms::FALSE));
            }
            let e = self.eval(scratch, e, path)?;
            let e = scratch.number(&e, path);
            let divides = scratch.terms.divides(d, &e.clone().plus(-c));
            let sign = match c.signum() {
                0 => Terms::TRUE,
                n if n > 0 => scratch.terms.le(e.neg()),
                _ => scratch.terms.le(e),
            };
            return Ok(Some(scratch.terms.and([divides, sign])));
        }
        Ok(None)
    }

    /// A number brought into the range of a type, if results wrap around.
    fn wrapped(&self, scratch: &mut Scratch, lin: Lin, ty: IntType, path: &mut Path) -> Lin {
        if !self.semantics.is_bounded() {
            return lin;
        }
        let (low, high) = self.semantics.range(ty);
        let known = scratch.range(&lin);
        let fits = known.0.as_ref().is_some_and(|n| *n >= low)
            && known.1.as_ref().is_some_and(|n| *n <= high);
        if fits {
            return lin;
        }
        if lin.is_constant() {
            return Lin::constant(self.semantics.convert(ty, &lin.constant));
        }
        let modulus = power(self.semantics.bits(ty));
        if let (Some(least), Some(most)) = known
            && let Some(result) = scratch.turned(&lin, (least, most), (&low, &high), &modulus, path)
        {
            return result;
        }
        // `lin - low = 2^n k + r` with `0 <= r < 2^n`; the result is `r + low`.
        let rest = scratch.rest(&lin.plus(-&low), &modulus, path);
        rest.plus(low)
    }

    /// The exact result of an operator.
    fn arithmetic(
        &self,
        scratch: &mut Scratch,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        span: Span,
        path: &mut Path,
    ) -> Result<Val> {
        use BinaryOp::*;
        let left = self.eval(scratch, a, path)?;
        let right = self.eval(scratch, b, path)?;
        if let (BitAnd | BitOr | BitXor, Some(value)) =
            (op, scratch.bitwise_truths(op, &left, &right))
        {
            return Ok(value);
        }
        if op == Mul {
            for (truth, other) in [(&left, &right), (&right, &left)] {
                if let (Val::Truth(t), Val::Num(lin)) = (truth, other)
                    && !lin.is_constant()
                {
                    let zero = Val::Num(Lin::default());
                    return Ok(scratch.choice(*t, other.clone(), zero, path));
                }
            }
        }
        let x = scratch.number(&left, path);
        let y = scratch.number(&right, path);
        let number = |lin: &Lin| lin.is_constant().then(|| lin.constant.clone());
        let exact = match op {
            Add => x.add(&y),
            Sub => x.sub(&y),
            Mul => match (number(&x), number(&y)) {
                (_, Some(n)) => x.scale(&n),
                (Some(n), _) => y.scale(&n),
                _ => return Err(refused(span, "a product of two variables", PRODUCT)),
            },
            Div | Rem => match number(&y) {
                Some(n) if n.is_zero() => {
                    return Err(Diagnostic::error(b.span, "division by zero").label("this is 0"));
                }
                Some(n) => {
                    let quotient = scratch.quotient(&x, &n, path);
                    match op {
                        Div => quotient,
                        _ => x.sub(&quotient.scale(&n)),
                    }
                }
                None => return Err(refused(span, "division by a variable", DIVISION)),
            },
            Shl | Shr => {
                let count =
                    number(&y).ok_or_else(|| refused(span, "a shift by a variable", DIVISION))?;
                let bits = self.semantics.bits(a.ty);
                let Some(count) = count
                    .to_i64()
                    .and_then(|n| u32::try_from(n).ok())
                    .filter(|n| *n < bits)
                else {
                    let message = format!("a shift by {count} places of a type with {bits}");
                    return Err(
                        Diagnostic::error(span, message).label("C does not say what this is")
                    );
                };
                match op {
                    Shl => x.scale(&power(count)),
                    _ => scratch.floor(&x, &power(count), path),
                }
            }
            BitAnd => match (number(&x), number(&y)) {
                (Some(m), Some(n)) => {
                    Lin::constant(self.semantics.apply(op, a.ty, &m, &n).unwrap_or_default())
                }
                (_, Some(n)) if mask(&n).is_some() => {
                    scratch.rest(&x, &mask(&n).unwrap_or(Int::ONE), path)
                }
                (Some(n), _) if mask(&n).is_some() => {
                    scratch.rest(&y, &mask(&n).unwrap_or(Int::ONE), path)
                }
                _ => return Err(refused(span, "this use of `&`", BITS)),
            },
            _ => match (number(&x), number(&y)) {
                (Some(m), Some(n)) => {
                    Lin::constant(self.semantics.apply(op, a.ty, &m, &n).unwrap_or_default())
                }
                (Some(n), None) if n.is_zero() => y,
                (None, Some(n)) if n.is_zero() => x,
                _ => {
                    return Err(refused(span, &format!("this use of `{}`", op.text()), BITS));
                }
            },
        };
        Ok(Val::Num(exact))
    }
}

/// With more cases than this, a number is brought into a range by its quotient.
const TURNS: i64 = 4;
const PRODUCT: &str = "one of the factors must be a number that is known when the program is read: clauses are linear";
const DIVISION: &str =
    "the right side must be a number that is known when the program is read: clauses are linear";
const BITS: &str = "bits are read with masks such as `x & 7` (a number `2^k - 1`), shifts by numbers, and operators on truths";

fn refused(span: Span, what: &str, help: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} is not supported"))
        .label("not linear")
        .help(help)
}

impl Scratch {
    pub(super) fn truth(&mut self, value: &Val) -> TermId {
        match value {
            Val::Truth(term) => *term,
            Val::Num(lin) => {
                // Of a variable that is 0 or 1 for a truth, the truth itself.
                if let [(var, _)] = lin.terms.as_slice()
                    && lin.constant.is_zero()
                    && let Origin::Truth(term) = &self.origins[var.index()]
                    && self.terms.sort(*var) == Sort::Int
                {
                    return *term;
                }
                let zero = self.terms.eq(lin.clone());
                self.terms.not(zero)
            }
        }
    }

    /// As a number: a truth gets a variable that is 0 or 1.
    pub(super) fn number(&mut self, value: &Val, path: &mut Path) -> Lin {
        match value {
            Val::Num(lin) => lin.clone(),
            Val::Truth(Terms::TRUE) => Lin::constant(1),
            Val::Truth(Terms::FALSE) => Lin::constant(0),
            Val::Truth(term) => {
                let term = *term;
                let var = self.defined(Key::Bit(term), path, |it| {
                    let var = it.fresh("truth", Sort::Int, Origin::Truth(term));
                    it.bound_terms(var, Some(Int::ZERO), Some(Int::ONE));
                    let one = it.terms.eq(Lin::var(var).plus(-1));
                    let zero = it.terms.eq(Lin::var(var));
                    let not = it.terms.not(term);
                    let yes = it.terms.and([term, one]);
                    let no = it.terms.and([not, zero]);
                    (var, vec![it.terms.or([yes, no])])
                });
                Lin::var(var)
            }
        }
    }

    /// The variable for an expression; what defines it holds on this path too.
    fn defined(
        &mut self,
        key: Key,
        path: &mut Path,
        make: impl FnOnce(&mut Scratch) -> (Var, Vec<TermId>),
    ) -> Var {
        if !self.known.contains_key(&key) {
            let made = make(self);
            self.known.insert(key.clone(), made);
        }
        let (var, terms) = &self.known[&key];
        terms.iter().for_each(|t| path.assume(*t));
        *var
    }

    pub(super) fn choice(&mut self, condition: TermId, a: Val, b: Val, path: &mut Path) -> Val {
        if condition == Terms::TRUE || a == b {
            return a;
        }
        if condition == Terms::FALSE {
            return b;
        }
        if let (Val::Truth(x), Val::Truth(y)) = (&a, &b) {
            return Val::Truth(self.terms.ite(condition, *x, *y));
        }
        let (x, y) = (self.number(&a, path), self.number(&b, path));
        let key = Key::Choice(condition, x.clone(), y.clone());
        let var = self.defined(key, path, |it| {
            let (a, b) = (it.range(&x), it.range(&y));
            let least = |m: Option<Int>, n: Option<Int>| Some(m?.min(n?));
            let most = |m: Option<Int>, n: Option<Int>| Some(m?.max(n?));
            let origin = Origin::Choice(condition, x.clone(), y.clone());
            let var = it.fresh("choice", Sort::Int, origin);
            it.bound_terms(var, least(a.0, b.0), most(a.1, b.1));
            let first = it.terms.eq(Lin::var(var).sub(&x));
            let second = it.terms.eq(Lin::var(var).sub(&y));
            let not = it.terms.not(condition);
            let yes = it.terms.and([condition, first]);
            let no = it.terms.and([not, second]);
            (var, vec![it.terms.or([yes, no])])
        });
        Val::Num(Lin::var(var))
    }

    fn truths_equal(&mut self, a: &Val, b: &Val) -> Option<TermId> {
        match (a, b) {
            (Val::Truth(x), Val::Truth(y)) => Some(self.terms.iff(*x, *y)),
            (Val::Truth(t), Val::Num(lin)) | (Val::Num(lin), Val::Truth(t))
                if lin.is_constant() =>
            {
                Some(match lin.constant.to_i64() {
                    Some(0) => self.terms.not(*t),
                    Some(1) => *t,
                    _ => Terms::FALSE,
                })
            }
            _ => None,
        }
    }

    /// `&`, `|` and `^` of truths.
    fn bitwise_truths(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        let truth = |value: &Val| match value {
            Val::Truth(term) => Some(*term),
            Val::Num(lin) if lin.is_constant() && lin.constant.is_zero() => Some(Terms::FALSE),
            Val::Num(lin) if lin.is_constant() && lin.constant.is_one() => Some(Terms::TRUE),
            Val::Num(_) => None,
        };
        let (a, b) = (truth(a)?, truth(b)?);
        Some(Val::Truth(match op {
            BinaryOp::BitAnd => self.terms.and([a, b]),
            BinaryOp::BitOr => self.terms.or([a, b]),
            _ => {
                let equal = self.terms.iff(a, b);
                self.terms.not(equal)
            }
        }))
    }

    /// The quotient rounded down. The divisor is positive.
    pub(super) fn floor(&mut self, lin: &Lin, divisor: &Int, path: &mut Path) -> Lin {
        if divisor.is_one() {
            return lin.clone();
        }
        if lin.is_constant() {
            return Lin::constant(lin.constant.div_floor(divisor).0);
        }
        let key = Key::Floor(lin.clone(), divisor.clone());
        let var = self.defined(key, path, |it| {
            let (low, high) = it.range(lin);
            let origin = Origin::Floor(lin.clone(), divisor.clone());
            let var = it.fresh("quotient", Sort::Int, origin);
            let low = low.map(|n| n.div_floor(divisor).0);
            let high = high.map(|n| n.div_floor(divisor).0);
            let mut terms = it.bound_terms(var, low, high);
            let rest = lin.add_scaled(&Lin::var(var), &-divisor);
            terms.push(it.terms.le(rest.neg()));
            terms.push(it.terms.le(rest.plus(&Int::ONE - divisor)));
            (var, terms)
        });
        Lin::var(var)
    }

    /// The rest of the division rounded down, from 0 to below the divisor, in a variable of its own.
    pub(super) fn rest(&mut self, lin: &Lin, divisor: &Int, path: &mut Path) -> Lin {
        if divisor.is_one() {
            return Lin::default();
        }
        if lin.is_constant() {
            return Lin::constant(lin.constant.div_floor(divisor).1);
        }
        let quotient = self.floor(lin, divisor, path);
        let value = lin.add_scaled(&quotient, &-divisor);
        let key = Key::Rest(lin.clone(), divisor.clone());
        let var = self.defined(key, path, |it| {
            let var = it.fresh("rest", Sort::Int, Origin::Value(value.clone()));
            let mut terms = it.bound_terms(var, Some(Int::ZERO), Some(divisor - &Int::ONE));
            terms.push(it.terms.eq(Lin::var(var).sub(&value)));
            (var, terms)
        });
        Lin::var(var)
    }

    /// A number brought into a range by adding or taking away the modulus a few times: one case for each. None if it could be
    /// too many times.
    fn turned(
        &mut self,
        lin: &Lin,
        (least, most): (Int, Int),
        (low, high): (&Int, &Int),
        modulus: &Int,
        path: &mut Path,
    ) -> Option<Lin> {
        let first = (&least - low).div_floor(modulus).0.to_i64()?;
        let last = (&most - low).div_floor(modulus).0.to_i64()?;
        if last.checked_sub(first)? >= TURNS {
            return None;
        }
        let key = Key::Turned(lin.clone(), low.clone(), modulus.clone());
        let var = self.defined(key, path, |it| {
            let origin = Origin::Turned(lin.clone(), low.clone(), modulus.clone());
            let var = it.fresh("wrapped", Sort::Int, origin);
            let mut terms = it.bound_terms(var, Some(low.clone()), Some(high.clone()));
            let cases = (first..=last).map(|turn| {
                let moved = lin.clone().plus(&Int::from(-turn) * modulus);
                let above = it.terms.le(moved.neg().plus(low.clone()));
                let below = it.terms.le(moved.clone().plus(-high));
                let equal = it.terms.eq(Lin::var(var).sub(&moved));
                it.terms.and([above, below, equal])
            });
            let cases: Vec<TermId> = cases.collect();
            terms.push(it.terms.or(cases));
            (var, terms)
        });
        Some(Lin::var(var))
    }

    /// The quotient rounded towards 0, by a number that is not 0.
    fn quotient(&mut self, lin: &Lin, divisor: &Int, path: &mut Path) -> Lin {
        if divisor.is_negative() {
            return self.quotient(lin, &-divisor, path).neg();
        }
        if divisor.is_one() {
            return lin.clone();
        }
        if lin.is_constant() {
            return Lin::constant(crate::c::types::truncated(&lin.constant, divisor).0);
        }
        let (positive, negative) = self.sign(lin);
        if positive {
            return self.floor(lin, divisor, path);
        }
        if negative {
            return self.floor(&lin.neg(), divisor, path).neg();
        }
        let key = Key::Truncated(lin.clone(), divisor.clone());
        let var = self.defined(key, path, |it| {
            let origin = Origin::Truncated(lin.clone(), divisor.clone());
            let (low, high) = it.range(lin);
            let var = it.fresh("quotient", Sort::Int, origin);
            let round = |n: Option<Int>| n.map(|n| crate::c::types::truncated(&n, divisor).0);
            let mut terms = it.bound_terms(var, round(low), round(high));
            let rest = lin.add_scaled(&Lin::var(var), &-divisor);
            let most = divisor - &Int::ONE;
            let up = it.terms.le(lin.neg());
            let above = it.terms.le(rest.neg());
            let below = it.terms.le(rest.clone().plus(-&most));
            let upper = it.terms.and([up, above, below]);
            let down = it.terms.not(up);
            let above = it.terms.le(rest.neg().plus(-&most));
            let below = it.terms.le(rest);
            let lower = it.terms.and([down, above, below]);
            terms.push(it.terms.or([upper, lower]));
            (var, terms)
        });
        Lin::var(var)
    }
}
