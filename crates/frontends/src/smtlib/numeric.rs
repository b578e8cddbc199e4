//! Numbers: linear expressions with rational factors, `ite`, `mod` and `div`.
//!
//! A numeric term is a small tree: `ite` at the inner nodes, linear expressions at the leaves. Comparing two trees
//! gives a formula without `ite`. A tree that grows past a limit gets a fresh variable that equals it; what defines
//! such a variable is kept in [`Scratch::definitions`] and joins every clause in which the variable
//! occurs. As each definition has exactly one value, this is right in every context.

use rustc_hash::FxHashMap;
use suppose_model::chc::limits;
use suppose_model::chc::{Lin, Sort, TermId, Terms, Var};
use suppose_number::{Int, Rat};
use suppose_source::Diagnostic;

use super::formula::{Formulas, Truth};

/// A linear expression over a positive number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ratio {
    pub(super) lin: Lin,
    pub(super) den: Int,
}

impl Ratio {
    pub(super) fn whole(lin: Lin) -> Ratio {
        Ratio { lin, den: Int::ONE }
    }

    pub(super) fn number(number: &Rat) -> Ratio {
        Ratio {
            lin: Lin::constant(number.num().clone()),
            den: number.den().clone(),
        }
    }

    /// Its value if it has no variable.
    pub(super) fn constant(&self) -> Option<Rat> {
        self.lin
            .is_constant()
            .then(|| Rat::new(self.lin.constant.clone(), self.den.clone()))
    }

    fn scale(&self, factor: &Rat) -> Ratio {
        Ratio {
            lin: self.lin.scale(factor.num()),
            den: &self.den * factor.den(),
        }
        .reduced()
    }

    fn add(&self, other: &Ratio) -> Ratio {
        Ratio {
            lin: self.lin.scale(&other.den).add(&other.lin.scale(&self.den)),
            den: &self.den * &other.den,
        }
        .reduced()
    }

    fn reduced(self) -> Ratio {
        let common = self.lin.gcd().gcd(&self.lin.constant).gcd(&self.den);
        if common.is_one() || common.is_zero() {
            return self;
        }
        let divided = |n: &Int| n.div_exact(&common);
        Ratio {
            lin: Lin {
                terms: self
                    .lin
                    .terms
                    .iter()
                    .map(|(v, a)| (*v, divided(a)))
                    .collect(),
                constant: divided(&self.lin.constant),
            },
            den: divided(&self.den),
        }
    }

    /// The variable, if it is nothing else.
    pub(super) fn variable(&self) -> Option<Var> {
        match self.lin.terms.as_slice() {
            [(var, factor)]
                if factor.is_one() && self.lin.constant.is_zero() && self.den.is_one() =>
            {
                Some(*var)
            }
            _ => None,
        }
    }
}

/// A numeric term, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number(u32);

#[derive(Clone, Debug)]
enum Shape {
    Leaf(Ratio),
    /// The remainder of an integer expression by a positive number: kept apart because a comparison with
    /// a constant needs no variable for the quotient.
    Rest(Lin, Int),
    Choice(Truth, Number, Number),
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    AtMost,
    Below,
}

/// What the formulas of one clause of the text are made of.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) terms: Terms,
    pub(super) formulas: Formulas,
    /// What defines each variable that the user did not write.
    pub(super) definitions: FxHashMap<Var, TermId>,
    shapes: Vec<(Shape, u32)>,
    /// A number of a term is over the limit.
    pub(super) too_large: bool,
    quotients: FxHashMap<(Lin, Int), Var>,
    floors: FxHashMap<Ratio, Var>,
}

/// Leaves of a tree that is kept as one.
const MOST_LEAVES: u32 = 32;
/// Leaves of a sum of two trees.
const MOST_IN_SUM: u32 = 4;
/// Pairs of leaves in a comparison.
const MOST_COMPARED: u32 = 32;

type Fallible<T> = Result<T, Diagnostic>;

impl Scratch {
    fn shape(&self, number: Number) -> &Shape {
        &self.shapes[number.0 as usize].0
    }

    fn leaves(&self, number: Number) -> u32 {
        self.shapes[number.0 as usize].1
    }

    fn push(&mut self, shape: Shape, leaves: u32) -> Number {
        self.shapes.push((shape, leaves));
        Number(self.shapes.len() as u32 - 1)
    }

    pub(super) fn leaf(&mut self, ratio: Ratio) -> Number {
        self.too_large |= !ratio.lin.fits() || !limits::fits(&ratio.den);
        self.push(Shape::Leaf(ratio), 1)
    }

    pub(super) fn variable(&mut self, var: Var) -> Number {
        self.leaf(Ratio::whole(Lin::var(var)))
    }

    /// Its value if it has no variable and no choice.
    pub(super) fn constant(&self, number: Number) -> Option<Rat> {
        match self.shape(number) {
            Shape::Leaf(ratio) => ratio.constant(),
            _ => None,
        }
    }

    pub(super) fn choose(
        &mut self,
        condition: Truth,
        a: Number,
        b: Number,
        real: bool,
    ) -> Fallible<Number> {
        match condition {
            Truth::Pure(Terms::TRUE) => return Ok(a),
            Truth::Pure(Terms::FALSE) => return Ok(b),
            _ if a == b => return Ok(a),
            _ => {}
        }
        let leaves = self.leaves(a) + self.leaves(b);
        let choice = self.push(Shape::Choice(condition, a, b), leaves);
        if leaves > MOST_LEAVES {
            let named = self.name(choice, real)?;
            return Ok(self.leaf(named));
        }
        Ok(choice)
    }

    /// The term as one linear expression, with a fresh variable if it takes one.
    pub(super) fn name(&mut self, number: Number, real: bool) -> Fallible<Ratio> {
        match self.shape(number).clone() {
            Shape::Leaf(ratio) => Ok(ratio),
            Shape::Rest(lin, divisor) => Ok(self.forced(&lin, &divisor)),
            Shape::Choice(..) => {
                let sort = if real { Sort::Real } else { Sort::Int };
                let var = self.terms.fresh("ite", sort);
                let itself = self.variable(var);
                let Truth::Pure(definition) = self.compare_all(Relation::Equal, itself, number)
                else {
                    return Err(Diagnostic::error_without_place(
                        "a predicate decides here which number is meant",
                    )
                    .label("expected a condition without predicates")
                    .help("write one clause for each of the two cases"));
                };
                self.definitions.insert(var, definition);
                Ok(Ratio::whole(Lin::var(var)))
            }
        }
    }

    /// The remainder as an expression with its quotient.
    fn forced(&mut self, lin: &Lin, divisor: &Int) -> Ratio {
        let quotient = self.quotient(lin, divisor);
        Ratio::whole(lin.add_scaled(&Lin::var(quotient), &-divisor))
    }

    /// `q` with `0 <= lin - divisor * q < divisor`, for a positive divisor.
    fn quotient(&mut self, lin: &Lin, divisor: &Int) -> Var {
        let key = (lin.clone(), divisor.clone());
        if let Some(&var) = self.quotients.get(&key) {
            return var;
        }
        let var = self.terms.fresh("quotient", Sort::Int);
        let rest = lin.add_scaled(&Lin::var(var), &-divisor);
        let low = self.terms.le(rest.neg());
        let high = self.terms.lt(rest.add(&Lin::constant(-divisor)));
        let definition = self.terms.and([low, high]);
        self.definitions.insert(var, definition);
        self.quotients.insert(key, var);
        var
    }

    /// Each leaf by a function.
    fn map(
        &mut self,
        number: Number,
        each: &mut dyn FnMut(&mut Scratch, Ratio) -> Number,
    ) -> Number {
        match self.shape(number).clone() {
            Shape::Leaf(ratio) => each(self, ratio),
            Shape::Rest(lin, divisor) => {
                let ratio = self.forced(&lin, &divisor);
                each(self, ratio)
            }
            Shape::Choice(condition, a, b) => {
                let a = self.map(a, each);
                let b = self.map(b, each);
                let leaves = self.leaves(a) + self.leaves(b);
                self.push(Shape::Choice(condition, a, b), leaves)
            }
        }
    }

    pub(super) fn scale(&mut self, number: Number, factor: &Rat) -> Number {
        if *factor == Rat::from(1) {
            return number;
        }
        self.map(number, &mut |scratch, ratio| {
            let scaled = ratio.scale(factor);
            scratch.leaf(scaled)
        })
    }

    /// The sum. Two small trees become one; of larger ones all but one get a variable.
    pub(super) fn sum(&mut self, numbers: &[Number], real: bool) -> Fallible<Number> {
        let trees = numbers.iter().filter(|n| self.leaves(**n) > 1).count();
        let product = numbers
            .iter()
            .fold(1u32, |p, n| p.saturating_mul(self.leaves(*n)));
        let name_all = trees > 1 && product > MOST_IN_SUM;
        let mut sum = self.leaf(Ratio::whole(Lin::default()));
        for &number in numbers {
            let number = if name_all && self.leaves(number) > 1 {
                let named = self.name(number, real)?;
                self.leaf(named)
            } else {
                number
            };
            sum = self.add(sum, number);
        }
        Ok(sum)
    }

    fn add(&mut self, a: Number, b: Number) -> Number {
        self.map(a, &mut |scratch, left| {
            scratch.map(b, &mut |scratch, right| {
                let sum = left.add(&right);
                scratch.leaf(sum)
            })
        })
    }

    /// Quotient and remainder as SMT-LIB has them: the remainder is never negative. The divisor is not 0.
    pub(super) fn divide(
        &mut self,
        number: Number,
        divisor: &Int,
        want_rest: bool,
    ) -> Fallible<Number> {
        let ratio = self.name(number, false)?;
        let lin = ratio.lin;
        let size = divisor.abs();
        if lin.is_constant() {
            let (quotient, rest) = lin.constant.div_euclid(divisor);
            let value = if want_rest { rest } else { quotient };
            return Ok(self.leaf(Ratio::whole(Lin::constant(value))));
        }
        if size.is_one() {
            let value = if want_rest {
                Lin::default()
            } else {
                lin.scale(divisor)
            };
            return Ok(self.leaf(Ratio::whole(value)));
        }
        if want_rest {
            return Ok(self.push(Shape::Rest(lin, size), 1));
        }
        let quotient = Lin::var(self.quotient(&lin, &size));
        // t = d*q + r = (-d)*(-q) + r.
        let value = if divisor.is_negative() {
            quotient.neg()
        } else {
            quotient
        };
        Ok(self.leaf(Ratio::whole(value)))
    }

    /// The greatest integer that is not above.
    pub(super) fn floor(&mut self, number: Number) -> Fallible<Number> {
        let ratio = self.name(number, true)?;
        if let Some(value) = ratio.constant() {
            return Ok(self.leaf(Ratio::whole(Lin::constant(value.floor()))));
        }
        if ratio.den.is_one() && self.terms.is_integral(&ratio.lin) {
            return Ok(self.leaf(ratio));
        }
        let var = match self.floors.get(&ratio) {
            Some(&var) => var,
            None => {
                let var = self.terms.fresh("floor", Sort::Int);
                // 0 <= lin - den * var < den.
                let rest = ratio.lin.add_scaled(&Lin::var(var), &-&ratio.den);
                let low = self.terms.le(rest.neg());
                let high = self.terms.lt(rest.add(&Lin::constant(-&ratio.den)));
                let definition = self.terms.and([low, high]);
                self.definitions.insert(var, definition);
                self.floors.insert(ratio, var);
                var
            }
        };
        Ok(self.variable(var))
    }

    pub(super) fn compare(
        &mut self,
        relation: Relation,
        a: Number,
        b: Number,
        real: bool,
    ) -> Fallible<Truth> {
        let pairs = self.leaves(a).saturating_mul(self.leaves(b));
        let (mut a, mut b) = (a, b);
        if self.leaves(a) > 1 && self.leaves(b) > 1 && pairs > MOST_COMPARED {
            let smaller = if self.leaves(a) < self.leaves(b) {
                &mut a
            } else {
                &mut b
            };
            let named = self.name(*smaller, real)?;
            *smaller = self.leaf(named);
        }
        Ok(self.compare_all(relation, a, b))
    }

    /// Goes at most as deep as there are leaves.
    fn compare_all(&mut self, relation: Relation, a: Number, b: Number) -> Truth {
        let (choice, first) = match (self.shape(a), self.shape(b)) {
            (Shape::Choice(..), _) => (a, true),
            (_, Shape::Choice(..)) => (b, false),
            _ => return Truth::Pure(self.compare_leaves(relation, a, b)),
        };
        let Shape::Choice(condition, then, otherwise) = self.shape(choice).clone() else {
            unreachable!("it was one above");
        };
        let [then, otherwise] = [then, otherwise].map(|part| {
            if first {
                self.compare_all(relation, part, b)
            } else {
                self.compare_all(relation, a, part)
            }
        });
        self.formulas
            .choice(&mut self.terms, condition, then, otherwise)
    }

    fn compare_leaves(&mut self, relation: Relation, a: Number, b: Number) -> TermId {
        if relation == Relation::Equal
            && let Some(term) = self.congruence(a, b)
        {
            return term;
        }
        let [a, b] = [a, b].map(|n| match self.shape(n).clone() {
            Shape::Leaf(ratio) => ratio,
            Shape::Rest(lin, divisor) => self.forced(&lin, &divisor),
            Shape::Choice(..) => unreachable!("choices are taken apart before"),
        });
        let difference = a.lin.scale(&b.den).sub(&b.lin.scale(&a.den));
        match relation {
            Relation::Equal => self.terms.eq(difference),
            Relation::AtMost => self.terms.le(difference),
            Relation::Below => self.terms.lt(difference),
        }
    }

    /// Equations of remainders that need no quotient.
    fn congruence(&mut self, a: Number, b: Number) -> Option<TermId> {
        let (lin, divisor, difference) = match (self.shape(a), self.shape(b)) {
            (Shape::Rest(t, d), Shape::Rest(u, e)) if d == e => (t, d, t.sub(u)),
            (Shape::Rest(t, d), Shape::Leaf(c)) | (Shape::Leaf(c), Shape::Rest(t, d)) => {
                let value = c.constant()?;
                let within = value.is_integer() && !value.is_negative() && value.num() < d;
                if !within {
                    return Some(Terms::FALSE);
                }
                (t, d, t.clone().plus(-value.num()))
            }
            _ => return None,
        };
        debug_assert!(!lin.is_constant());
        let divisor = divisor.clone();
        Some(self.terms.divides(&divisor, &difference))
    }
}
