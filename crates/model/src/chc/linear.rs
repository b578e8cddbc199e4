//! Linear expressions.

use suppose_number::{Int, Rat};

use super::limits;
use super::terms::Var;

/// A sum of variables with integer factors, and a constant. Variables are in order of their numbers and
/// no factor is 0, so equality is by value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lin {
    /// The variables with their factors.
    pub terms: Vec<(Var, Int)>,
    /// The constant summand.
    pub constant: Int,
}

impl Lin {
    /// A number.
    pub fn constant(constant: impl Into<Int>) -> Lin {
        Lin {
            terms: Vec::new(),
            constant: constant.into(),
        }
    }

    /// A variable.
    pub fn var(var: Var) -> Lin {
        Lin {
            terms: vec![(var, Int::ONE)],
            constant: Int::ZERO,
        }
    }

    /// The summands with positive factors, and the others negated: the sides of a comparison with 0. The constant is in neither.
    pub fn sides(&self) -> (Lin, Lin) {
        let (mut left, mut right) = (Lin::default(), Lin::default());
        for (var, factor) in &self.terms {
            match factor.is_negative() {
                true => right.terms.push((*var, -factor)),
                false => left.terms.push((*var, factor.clone())),
            }
        }
        (left, right)
    }

    /// Without variables?
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Are its numbers within the limit (see [`super::limits`])?
    pub fn fits(&self) -> bool {
        limits::fits(&self.constant) && self.terms.iter().all(|(_, factor)| limits::fits(factor))
    }

    /// The factor of a variable, 0 if it is not there.
    pub fn factor(&self, var: Var) -> Int {
        match self.terms.binary_search_by_key(&var, |(v, _)| *v) {
            Ok(i) => self.terms[i].1.clone(),
            Err(_) => Int::ZERO,
        }
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, other: &Lin, factor: &Int) -> Lin {
        if factor.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i);
            let right = other.terms.get(j);
            match (left, right) {
                (Some((v, a)), Some((w, b))) if v == w => {
                    let sum = a + &(b * factor);
                    if !sum.is_zero() {
                        terms.push((*v, sum));
                    }
                    i += 1;
                    j += 1;
                }
                (Some((v, a)), right) if right.is_none_or(|(w, _)| v < w) => {
                    terms.push((*v, a.clone()));
                    i += 1;
                }
                (_, Some((w, b))) => {
                    terms.push((*w, b * factor));
                    j += 1;
                }
                (_, None) => unreachable!("one side is left"),
            }
        }
        Lin {
            terms,
            constant: &self.constant + &(&other.constant * factor),
        }
    }

    /// The sum.
    pub fn add(&self, other: &Lin) -> Lin {
        self.add_scaled(other, &Int::ONE)
    }

    /// The difference.
    pub fn sub(&self, other: &Lin) -> Lin {
        self.add_scaled(other, &Int::MINUS_ONE)
    }

    /// All factors and the constant times a number.
    pub fn scale(&self, factor: &Int) -> Lin {
        if factor.is_zero() {
            return Lin::default();
        }
        Lin {
            terms: self.terms.iter().map(|(v, a)| (*v, a * factor)).collect(),
            constant: &self.constant * factor,
        }
    }

    /// With all signs turned.
    pub fn neg(&self) -> Lin {
        self.scale(&Int::MINUS_ONE)
    }

    /// With a number added.
    pub fn plus(mut self, number: impl Into<Int>) -> Lin {
        self.constant += &number.into();
        self
    }

    /// The same without that variable.
    pub fn without(&self, var: Var) -> Lin {
        Lin {
            terms: self
                .terms
                .iter()
                .filter(|(v, _)| *v != var)
                .cloned()
                .collect(),
            constant: self.constant.clone(),
        }
    }

    /// The greatest common divisor of the factors, without the constant; 0 if there are none.
    pub fn gcd(&self) -> Int {
        let mut gcd = Int::ZERO;
        for (_, factor) in &self.terms {
            gcd = gcd.gcd(factor);
            if gcd.is_one() {
                break;
            }
        }
        gcd
    }

    /// Its value, given those of its variables.
    pub fn eval(&self, mut value: impl FnMut(Var) -> Rat) -> Rat {
        let mut sum = Rat::from(&self.constant);
        for (var, factor) in &self.terms {
            sum += &(&Rat::from(factor) * &value(*var));
        }
        sum
    }
}
