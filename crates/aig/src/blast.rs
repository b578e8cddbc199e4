//! Expressions as wires.
//!
//! An expression has wires for its value and one that says whether it has a value at all. The latter is exact: it is true under the
//! valuations where [`suppose_model::fsm::Evaluator`] finds a value. Where it is false, the others may be anything.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{BinaryOp, Cast, ExprId, Exprs, Node, Sort, Type, Value};

use crate::circuit::{Circuit, Lit};
use crate::vector;

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Truth(Lit),
    /// Lowest bit first.
    Word(Vec<Lit>),
    /// A number in two's complement, or that of a symbol: the first wire says which.
    Number(Lit, Vec<Lit>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Coded {
    /// Its values, each with the wire that says whether it is one. Exactly one with a true wire unless the expression is a set.
    pub(crate) values: Vec<(Lit, Scalar)>,
    /// Does it have a value?
    pub(crate) ok: Lit,
}

impl Coded {
    fn one(scalar: Scalar, ok: Lit) -> Coded {
        Coded {
            values: vec![(Lit::TRUE, scalar)],
            ok,
        }
    }

    fn nothing() -> Coded {
        Coded {
            values: Vec::new(),
            ok: Lit::FALSE,
        }
    }

    /// The value of what is no set.
    fn scalar(&self) -> Option<&Scalar> {
        self.values.first().map(|(_, scalar)| scalar)
    }

    fn truth(&self) -> Lit {
        match self.scalar() {
            Some(Scalar::Truth(lit)) => *lit,
            _ => Lit::FALSE,
        }
    }

    /// True where it is there and true.
    pub(crate) fn holds(&self, c: &mut Circuit) -> Lit {
        c.and(self.ok, self.truth())
    }
}

/// Where all are there.
fn all_ok(c: &mut Circuit, parts: &[&Coded]) -> Lit {
    c.all(parts.iter().map(|p| p.ok))
}

/// A constant.
fn constant(value: &Value) -> Scalar {
    match value {
        Value::Bool(truth) => Scalar::Truth(Lit::constant(*truth)),
        Value::Int(n) => Scalar::Number(Lit::FALSE, vector::constant((*n).into())),
        Value::Symbol(s) => Scalar::Number(Lit::TRUE, vector::constant(s.0.into())),
        Value::Word(w) => {
            let bit = |at| Lit::constant(w.bit(at));
            Scalar::Word((0..w.width).map(bit).collect())
        }
    }
}

/// A variable with these bits.
pub(crate) fn variable(c: &mut Circuit, ty: &Type, bits: &[Lit]) -> Scalar {
    match ty {
        Type::Boolean => Scalar::Truth(vector::bit(bits, 0)),
        Type::Word { .. } => Scalar::Word(bits.to_vec()),
        Type::Range(low, _) => {
            let index = vector::of_word(bits, false);
            let low = vector::constant((*low).into());
            Scalar::Number(Lit::FALSE, vector::add(c, &index, &low))
        }
        Type::Enumeration(values) => enumeration(c, values, bits),
    }
}

fn enumeration(c: &mut Circuit, values: &[Value], bits: &[Lit]) -> Scalar {
    let mut so_far: Option<Scalar> = None;
    for (index, value) in values.iter().enumerate() {
        let here = constant(value);
        so_far = Some(match so_far {
            None => here,
            Some(before) => {
                let same = bits.iter().enumerate();
                let same: Vec<Lit> = same.map(|(at, b)| b.when(index >> at & 1 == 1)).collect();
                let test = c.all(same);
                choose(c, test, &here, &before)
            }
        });
    }
    so_far.unwrap_or(Scalar::Truth(Lit::FALSE))
}

fn choose(c: &mut Circuit, test: Lit, a: &Scalar, b: &Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Truth(a), Scalar::Truth(b)) => Scalar::Truth(c.ite(test, *a, *b)),
        (Scalar::Word(a), Scalar::Word(b)) => {
            let pairs = a.iter().zip(b);
            Scalar::Word(pairs.map(|(a, b)| c.ite(test, *a, *b)).collect())
        }
        (Scalar::Number(s, a), Scalar::Number(t, b)) => {
            let symbol = c.ite(test, *s, *t);
            Scalar::Number(symbol, vector::ite(c, test, a, b))
        }
        // Two sorts that do not meet: the store holds no such expression.
        _ => a.clone(),
    }
}

pub(crate) fn equal(c: &mut Circuit, a: &Scalar, b: &Scalar) -> Lit {
    match (a, b) {
        (Scalar::Truth(a), Scalar::Truth(b)) => c.iff(*a, *b),
        (Scalar::Word(a), Scalar::Word(b)) if a.len() == b.len() => vector::equal(c, a, b),
        (Scalar::Number(s, a), Scalar::Number(t, b)) => {
            let (kind, number) = (c.iff(*s, *t), vector::equal(c, a, b));
            c.and(kind, number)
        }
        _ => Lit::FALSE,
    }
}

/// Where a value is among those of an expression that is there.
pub(crate) fn among(c: &mut Circuit, value: &Scalar, coded: &Coded) -> Lit {
    let mut found = Lit::FALSE;
    for (when, other) in &coded.values {
        let same = equal(c, value, other);
        let here = c.and(*when, same);
        found = c.or(found, here);
    }
    c.and(coded.ok, found)
}

/// Computes one expression from its parts.
pub(crate) struct Blaster<'c, 'k> {
    pub(crate) exprs: &'k Exprs,
    pub(crate) c: &'c mut Circuit,
    pub(crate) known: &'k FxHashMap<(ExprId, usize), Coded>,
    pub(crate) frame: usize,
}

impl Blaster<'_, '_> {
    fn part(&self, expr: ExprId) -> Coded {
        let known = self.known.get(&(expr, self.frame));
        known.cloned().unwrap_or_else(Coded::nothing)
    }

    fn parts(&self, all: &[ExprId]) -> Vec<Coded> {
        all.iter().map(|part| self.part(*part)).collect()
    }

    /// All but variables.
    pub(crate) fn node(&mut self, expr: ExprId) -> Coded {
        match self.exprs.node(expr) {
            Node::Value(value) => Coded::one(constant(value), Lit::TRUE),
            // The caller knows variables.
            Node::Current(_) | Node::Next(_) | Node::EvaluationError(_) => Coded::nothing(),
            Node::Not(a) => self.unary(*a, |_, scalar| match scalar {
                Scalar::Truth(a) => Some(Scalar::Truth(!a)),
                Scalar::Word(bits) => Some(Scalar::Word(bits.into_iter().map(|b| !b).collect())),
                Scalar::Number(..) => None,
            }),
            Node::Negate(a) => self.unary(*a, |c, scalar| match scalar {
                Scalar::Number(_, a) => Some(Scalar::Number(Lit::FALSE, vector::negate(c, &a))),
                Scalar::Word(bits) => {
                    let negated = vector::negate(c, &bits);
                    Some(Scalar::Word(vector::cut(&negated, bits.len())))
                }
                Scalar::Truth(_) => None,
            }),
            Node::And(all) => self.junction(all, true),
            Node::Or(all) => self.junction(all, false),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                self.binary(expr, *op, a, b)
            }
            Node::Ite(test, a, b) => {
                let (test, a, b) = (self.part(*test), self.part(*a), self.part(*b));
                self.ite(expr, test, a, b)
            }
            Node::Set(all) => self.set(all),
            Node::Bits(a, high, low) => {
                let range = *low as usize..=*high as usize;
                self.unary(*a, |_, scalar| match scalar {
                    Scalar::Word(bits) => Some(Scalar::Word(bits.get(range)?.to_vec())),
                    _ => None,
                })
            }
            Node::Cast(cast, a) => self.cast(expr, *cast, *a),
            Node::Count(all) => self.count(all),
        }
    }

    fn unary(
        &mut self,
        a: ExprId,
        op: impl FnOnce(&mut Circuit, Scalar) -> Option<Scalar>,
    ) -> Coded {
        let part = self.part(a);
        let made = part.scalar().and_then(|s| op(self.c, s.clone()));
        made.map_or_else(Coded::nothing, |scalar| Coded::one(scalar, part.ok))
    }

    /// `&` or `|`: a boolean that decides does so even if others fail.
    fn junction(&mut self, all: &[ExprId], and: bool) -> Coded {
        let parts = self.parts(all);
        let every: Vec<&Coded> = parts.iter().collect();
        let ok = all_ok(self.c, &every);
        let words: Vec<&Vec<Lit>> = parts
            .iter()
            .filter_map(|p| match p.scalar() {
                Some(Scalar::Word(bits)) => Some(bits),
                _ => None,
            })
            .collect();
        if let Some(first) = words.first() {
            let mut joined = (*first).clone();
            for word in &words[1..] {
                for (so_far, bit) in joined.iter_mut().zip(word.iter()) {
                    *so_far = self.join(and, *so_far, *bit);
                }
            }
            return Coded::one(Scalar::Word(joined), ok);
        }
        let (mut value, mut decided) = (Lit::constant(and), Lit::FALSE);
        for part in &parts {
            value = self.join(and, value, part.truth());
            let decides = self.c.and(part.ok, part.truth().when(!and));
            decided = self.c.or(decided, decides);
        }
        // A part that fails has some value, so what decides is said apart.
        let value = self.c.ite(decided, Lit::constant(!and), value);
        let ok = self.c.or(ok, decided);
        Coded::one(Scalar::Truth(value), ok)
    }

    fn join(&mut self, and: bool, a: Lit, b: Lit) -> Lit {
        if and {
            self.c.and(a, b)
        } else {
            self.c.or(a, b)
        }
    }

    fn implies(&mut self, a: &Coded, b: &Coded) -> Coded {
        let both = all_ok(self.c, &[a, b]);
        let first = self.c.and(a.ok, !a.truth());
        let second = self.c.and(b.ok, b.truth());
        let decided = self.c.or(first, second);
        let ok = self.c.or(both, decided);
        // Where both are there, it is true exactly where one decides.
        Coded::one(Scalar::Truth(decided), ok)
    }

    fn set(&mut self, all: &[ExprId]) -> Coded {
        let parts = self.parts(all);
        let every: Vec<&Coded> = parts.iter().collect();
        let ok = all_ok(self.c, &every);
        let values = parts.into_iter().flat_map(|p| p.values).collect();
        self.gathered(values, ok)
    }

    /// Values that are written the same way once.
    fn gathered(&mut self, values: Vec<(Lit, Scalar)>, ok: Lit) -> Coded {
        let mut at: FxHashMap<Scalar, usize> = FxHashMap::default();
        let mut once: Vec<(Lit, Scalar)> = Vec::new();
        for (when, scalar) in values {
            let index = *at.entry(scalar.clone()).or_insert(once.len());
            match once.get_mut(index) {
                Some((so_far, _)) => *so_far = self.c.or(*so_far, when),
                None => once.push((when, scalar)),
            }
        }
        Coded { values: once, ok }
    }

    fn ite(&mut self, expr: ExprId, test: Coded, a: Coded, b: Coded) -> Coded {
        let taken = self.c.ite(test.truth(), a.ok, b.ok);
        let ok = self.c.and(test.ok, taken);
        let test = test.truth();
        if self.exprs.is_set(expr) {
            let mut values = Vec::new();
            for (branch, side) in [(a, test), (b, !test)] {
                for (when, scalar) in branch.values {
                    values.push((self.c.and(when, side), scalar));
                }
            }
            return self.gathered(values, ok);
        }
        match (a.scalar(), b.scalar()) {
            (Some(x), Some(y)) => Coded::one(choose(self.c, test, x, y), ok),
            (Some(one), None) | (None, Some(one)) => Coded::one(one.clone(), ok),
            (None, None) => Coded::nothing(),
        }
    }

    /// Cuts a number to what the sort of its expression allows.
    fn fitted(&self, expr: ExprId, number: Vec<Lit>) -> Scalar {
        let number = match self.exprs.sort(expr) {
            Sort::Integer(low, high) => {
                let width = vector::width_of(low.into()).max(vector::width_of(high.into()));
                vector::cut(&number, width.min(number.len().max(1)))
            }
            _ => number,
        };
        Scalar::Number(Lit::FALSE, number)
    }

    fn count(&mut self, all: &[ExprId]) -> Coded {
        let parts = self.parts(all);
        let every: Vec<&Coded> = parts.iter().collect();
        let ok = all_ok(self.c, &every);
        let mut sum = Vec::new();
        for part in &parts {
            sum = vector::add(self.c, &sum, &[part.truth(), Lit::FALSE]);
        }
        Coded::one(Scalar::Number(Lit::FALSE, sum), ok)
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, a: Coded, b: Coded) -> Coded {
        let boolean = matches!(self.exprs.sort(expr), Sort::Boolean | Sort::Nothing);
        match op {
            BinaryOp::In => self.within(&a, &b),
            BinaryOp::Implies if boolean => self.implies(&a, &b),
            _ => {
                let ok = all_ok(self.c, &[&a, &b]);
                let (Some(x), Some(y)) = (a.scalar(), b.scalar()) else {
                    return Coded::nothing();
                };
                let Node::Binary(_, left, right) = *self.exprs.node(expr) else {
                    return Coded::nothing();
                };
                let signed = [left, right].map(|it| {
                    let sort = self.exprs.sort(it);
                    matches!(sort, Sort::Word { signed: true, .. })
                });
                match self.operate(expr, op, (x, y), signed) {
                    Some((scalar, condition)) => Coded::one(scalar, self.c.and(ok, condition)),
                    None => Coded::nothing(),
                }
            }
        }
    }

    /// All values of the first are among those of the second.
    fn within(&mut self, a: &Coded, b: &Coded) -> Coded {
        let mut every = Lit::TRUE;
        for (when, value) in &a.values {
            let inside = among(self.c, value, b);
            let here = self.c.implies(*when, inside);
            every = self.c.and(every, here);
        }
        let ok = all_ok(self.c, &[a, b]);
        Coded::one(Scalar::Truth(every), ok)
    }

    /// The value on two values that are there, and where there is one.
    fn operate(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        (x, y): (&Scalar, &Scalar),
        signed: [bool; 2],
    ) -> Option<(Scalar, Lit)> {
        use BinaryOp as Op;
        let sure = |scalar| Some((scalar, Lit::TRUE));
        match op {
            Op::Equal => sure(Scalar::Truth(equal(self.c, x, y))),
            Op::Unequal => sure(Scalar::Truth(!equal(self.c, x, y))),
            Op::Implies => self.bitwise(x, y, |c, a, b| c.implies(a, b)),
            Op::Iff | Op::Xnor => self.bitwise(x, y, Circuit::iff),
            Op::Xor => self.bitwise(x, y, Circuit::xor),
            Op::Concatenate => match (x, y) {
                (Scalar::Word(high), Scalar::Word(low)) => {
                    sure(Scalar::Word(low.iter().chain(high).copied().collect()))
                }
                _ => None,
            },
            Op::ShiftLeft | Op::ShiftRight => self.shift(op, x, &number(y, signed[1])?, signed[0]),
            _ => {
                let (a, b) = (number(x, signed[0])?, number(y, signed[1])?);
                self.arithmetic(expr, op, &a, &b)
            }
        }
    }

    fn bitwise(
        &mut self,
        x: &Scalar,
        y: &Scalar,
        op: impl Fn(&mut Circuit, Lit, Lit) -> Lit,
    ) -> Option<(Scalar, Lit)> {
        let made = match (x, y) {
            (Scalar::Truth(a), Scalar::Truth(b)) => Scalar::Truth(op(self.c, *a, *b)),
            (Scalar::Word(a), Scalar::Word(b)) => {
                let pairs = a.iter().zip(b);
                Scalar::Word(pairs.map(|(a, b)| op(self.c, *a, *b)).collect())
            }
            _ => return None,
        };
        Some((made, Lit::TRUE))
    }

    fn arithmetic(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        a: &[Lit],
        b: &[Lit],
    ) -> Option<(Scalar, Lit)> {
        use BinaryOp as Op;
        let mut ok = Lit::TRUE;
        let width = match self.exprs.sort(expr) {
            Sort::Word { width, .. } => Some(width as usize),
            _ => None,
        };
        let c = &mut *self.c;
        let truth = |lit| Some((Scalar::Truth(lit), Lit::TRUE));
        let number = match op {
            Op::Less => return truth(vector::less(c, a, b)),
            Op::AtMost => return truth(!vector::less(c, b, a)),
            Op::Greater => return truth(vector::less(c, b, a)),
            Op::AtLeast => return truth(!vector::less(c, a, b)),
            Op::Add => vector::add(c, a, b),
            Op::Subtract => vector::subtract(c, a, b),
            Op::Multiply => match width {
                Some(width) => vector::product(c, a, b, width),
                None => vector::multiply(c, a, b),
            },
            Op::Divide | Op::Modulo => {
                ok = vector::nonzero(c, b);
                let (quotient, rest) = vector::divide(c, a, b);
                if op == Op::Divide { quotient } else { rest }
            }
            Op::Max | Op::Min => {
                let less = vector::less(c, a, b);
                let test = less.when(op == Op::Min);
                vector::ite(c, test, a, b)
            }
            _ => return None,
        };
        let scalar = match width {
            Some(width) => Scalar::Word(vector::cut(&number, width)),
            None => self.fitted(expr, number),
        };
        Some((scalar, ok))
    }

    fn shift(
        &mut self,
        op: BinaryOp,
        x: &Scalar,
        by: &[Lit],
        signed: bool,
    ) -> Option<(Scalar, Lit)> {
        let Scalar::Word(bits) = x else {
            return None;
        };
        let left = op == BinaryOp::ShiftLeft;
        let fill = match signed && !left {
            true => vector::sign(bits),
            false => Lit::FALSE,
        };
        let most = vector::constant(bits.len() as i128);
        let beyond = vector::less(self.c, &most, by);
        let ok = self.c.and(!beyond, !vector::sign(by));
        let moved = vector::shift(self.c, bits, by, left, fill);
        Some((Scalar::Word(moved), ok))
    }

    fn cast(&mut self, expr: ExprId, cast: Cast, a: ExprId) -> Coded {
        let from_signed = matches!(self.exprs.sort(a), Sort::Word { signed: true, .. });
        let width = match self.exprs.sort(expr) {
            Sort::Word { width, .. } => width as usize,
            _ => 0,
        };
        self.unary(a, |c, scalar| match (cast, scalar) {
            (Cast::Bool, it @ Scalar::Truth(_)) | (Cast::ToInt, it @ Scalar::Number(..)) => {
                Some(it)
            }
            (Cast::Bool, Scalar::Number(_, bits) | Scalar::Word(bits)) => {
                Some(Scalar::Truth(vector::nonzero(c, &bits)))
            }
            (Cast::Word1, Scalar::Truth(lit)) => Some(Scalar::Word(vec![lit])),
            (Cast::ToInt, it) => Some(Scalar::Number(Lit::FALSE, number(&it, from_signed)?)),
            (Cast::Signed | Cast::Unsigned, it @ Scalar::Word(_)) => Some(it),
            (Cast::Extend(_) | Cast::Resize(_), Scalar::Word(bits)) => {
                Some(Scalar::Word(resized(&bits, from_signed, width)))
            }
            (Cast::Abs, Scalar::Number(_, bits)) => {
                Some(Scalar::Number(Lit::FALSE, vector::abs(c, &bits)))
            }
            _ => None,
        })
    }
}

/// Longer by zeros or the sign; shorter by cutting, but a signed word keeps its sign bit.
fn resized(bits: &[Lit], signed: bool, width: usize) -> Vec<Lit> {
    let number = vector::of_word(bits, signed);
    let mut word = vector::cut(&number, width);
    if signed
        && width < bits.len()
        && let Some(top) = word.last_mut()
    {
        *top = vector::sign(bits);
    }
    word
}

/// As a number.
fn number(scalar: &Scalar, signed: bool) -> Option<Vec<Lit>> {
    Some(match scalar {
        Scalar::Number(_, bits) => bits.clone(),
        Scalar::Word(bits) => vector::of_word(bits, signed),
        Scalar::Truth(lit) => vec![*lit, Lit::FALSE],
    })
}
