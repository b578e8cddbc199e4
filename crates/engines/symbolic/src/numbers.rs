//! Numbers as vectors of functions, in two's complement.

use suppose_control::Stopped;

use crate::bdd::{Bdd, Bdds};

/// A number: bits from the lowest; the last is the sign.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) bits: Vec<Bdd>,
}

pub(crate) type Done<T> = Result<T, Stopped>;

/// Arithmetic on vectors of one manager.
#[derive(Clone, Debug)]
pub(crate) struct Arithmetic {
    bdds: Bdds,
}

impl Arithmetic {
    pub(crate) fn new(bdds: &Bdds) -> Self {
        Arithmetic { bdds: bdds.clone() }
    }

    fn zero(&self) -> Bdd {
        self.bdds.constant(false)
    }

    /// A constant, in as few bits as it needs.
    pub(crate) fn constant(&self, value: i128) -> Number {
        let width = match value {
            0.. => 129 - value.leading_zeros(),
            _ => 129 - (!value).leading_zeros(),
        };
        let bit = |at: u32| self.bdds.constant(value >> at.min(127) & 1 == 1);
        Number {
            bits: (0..width).map(bit).collect(),
        }
    }

    /// Bits of a word read as a number.
    pub(crate) fn of_word(&self, bits: &[Bdd], signed: bool) -> Number {
        let mut bits = bits.to_vec();
        if !signed {
            bits.push(self.zero());
        }
        Number { bits }
    }

    /// The lowest bits, as many as a word has.
    pub(crate) fn to_word(number: &Number, width: u32) -> Vec<Bdd> {
        (0..width as usize)
            .map(|at| number.bit(at).clone())
            .collect()
    }

    /// Without sign bits that say nothing.
    fn short(mut number: Number) -> Number {
        while number.bits.len() > 1
            && number.bits[number.bits.len() - 1] == number.bits[number.bits.len() - 2]
        {
            number.bits.pop();
        }
        number
    }

    /// One bit of a sum, and the carry.
    fn full(a: &Bdd, b: &Bdd, carry: &Bdd) -> Done<(Bdd, Bdd)> {
        let half = a.xor(b)?;
        Ok((half.xor(carry)?, half.ite(carry, a)?))
    }

    fn sum(a: &Number, b: &Number, negate: bool, carry: Bdd) -> Done<Number> {
        let width = a.bits.len().max(b.bits.len()) + 1;
        let mut carry = carry;
        let mut bits = Vec::with_capacity(width);
        for at in 0..width {
            let other = b.bit(at);
            let other = if negate { other.not() } else { other.clone() };
            let (bit, next) = Self::full(a.bit(at), &other, &carry)?;
            bits.push(bit);
            carry = next;
        }
        Ok(Self::short(Number { bits }))
    }

    pub(crate) fn add(&self, a: &Number, b: &Number) -> Done<Number> {
        Self::sum(a, b, false, self.zero())
    }

    pub(crate) fn subtract(&self, a: &Number, b: &Number) -> Done<Number> {
        Self::sum(a, b, true, self.bdds.constant(true))
    }

    pub(crate) fn negate(&self, a: &Number) -> Done<Number> {
        self.subtract(&self.constant(0), a)
    }

    pub(crate) fn multiply(&self, a: &Number, b: &Number) -> Done<Number> {
        let mut sum = self.constant(0);
        let last = b.bits.len() - 1;
        for (at, bit) in b.bits.iter().enumerate() {
            let mut bits = vec![self.zero(); at];
            for of_a in &a.bits {
                bits.push(of_a.and(bit)?);
            }
            let part = Number { bits };
            // The sign bit counts negatively.
            sum = match at == last {
                true => self.subtract(&sum, &part)?,
                false => self.add(&sum, &part)?,
            };
        }
        Ok(sum)
    }

    pub(crate) fn ite(&self, test: &Bdd, a: &Number, b: &Number) -> Done<Number> {
        let width = a.bits.len().max(b.bits.len());
        let bits = (0..width).map(|at| test.ite(a.bit(at), b.bit(at)));
        let bits = bits.collect::<Done<Vec<Bdd>>>()?;
        Ok(Self::short(Number { bits }))
    }

    pub(crate) fn equal(&self, a: &Number, b: &Number) -> Done<Bdd> {
        let width = a.bits.len().max(b.bits.len());
        let mut all = self.bdds.constant(true);
        for at in 0..width {
            all = all.and(&a.bit(at).iff(b.bit(at))?)?;
        }
        Ok(all)
    }

    pub(crate) fn less(&self, a: &Number, b: &Number) -> Done<Bdd> {
        let difference = self.subtract(a, b)?;
        Ok(difference.sign().clone())
    }

    pub(crate) fn abs(&self, a: &Number) -> Done<Number> {
        let negated = self.negate(a)?;
        self.ite(a.sign(), &negated, a)
    }

    /// Quotient and remainder, rounded towards zero; anything where the divisor is zero.
    pub(crate) fn divide(&self, a: &Number, b: &Number) -> Done<(Number, Number)> {
        let (x, y) = (self.abs(a)?, self.abs(b)?);
        let mut rest = self.constant(0);
        let mut quotient = vec![self.zero(); x.bits.len()];
        for at in (0..x.bits.len()).rev() {
            let mut bits = vec![x.bits[at].clone()];
            bits.extend(rest.bits.iter().cloned());
            rest = Self::short(Number { bits });
            let fits = self.less(&rest, &y)?.not();
            let smaller = self.subtract(&rest, &y)?;
            rest = self.ite(&fits, &smaller, &rest)?;
            quotient[at] = fits;
        }
        quotient.push(self.zero());
        let quotient = Self::short(Number { bits: quotient });
        let differ = a.sign().xor(b.sign())?;
        let quotient = self.ite(&differ, &self.negate(&quotient)?, &quotient)?;
        let rest = self.ite(a.sign(), &self.negate(&rest)?, &rest)?;
        Ok((quotient, rest))
    }
}

impl Number {
    /// A bit; beyond the end, the sign.
    pub(crate) fn bit(&self, at: usize) -> &Bdd {
        &self.bits[at.min(self.bits.len() - 1)]
    }

    pub(crate) fn sign(&self) -> &Bdd {
        self.bit(usize::MAX)
    }
}
