//! Logarithms and roots that are no fractions. They can still be compared with fractions and rounded
//! exactly: `log(a, b) < p/q` is `a^q < b^p`, and `a^(p/q) < r` is `a^p < r^q`.

use std::cmp::Ordering;
use std::fmt;

use suppose_number::{Int, Rat};

use super::value::Value;

/// Powers with more bits than this are not computed.
const BITS: u64 = 1 << 20;

/// Exponents have no longer continued fractions than this.
const ROUNDS: u32 = 100;

/// An irrational number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Irrational {
    /// The logarithm of a positive number to a base above 1.
    Log { of: Rat, base: Rat },
    /// `base^exponent`, the base positive and the exponent no integer.
    Power { base: Rat, exponent: Rat },
}

impl fmt::Display for Irrational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Irrational::Log { of, base } => write!(f, "log({of}, {base})"),
            Irrational::Power { base, exponent } => write!(f, "pow({base}, {exponent})"),
        }
    }
}

impl Irrational {
    /// `base^exponent`, as a fraction if it is one.
    pub(super) fn power(base: &Rat, exponent: &Rat) -> Result<Value, String> {
        if exponent.is_integer() {
            if base.is_zero() && exponent.is_negative() {
                return Err("division by zero: a negative power of 0".to_owned());
            }
            let power = integer_power(base, exponent.num());
            return power.map(Value::Real).ok_or_else(too_large);
        }
        if base.is_negative() {
            return Err(format!("the power {exponent} of {base} is not real"));
        }
        if base.is_zero() {
            return match exponent.is_negative() {
                true => Err("division by zero: a negative power of 0".to_owned()),
                false => Ok(Value::Real(Rat::ZERO)),
            };
        }
        let raised = integer_power(base, exponent.num()).ok_or_else(too_large)?;
        let degree = exponent.den();
        if let (Some(num), Some(den)) = (
            exact_root(raised.num(), degree),
            exact_root(raised.den(), degree),
        ) {
            return Ok(Value::Real(Rat::new(num, den)));
        }
        Ok(Value::Irrational(Box::new(Irrational::Power {
            base: base.clone(),
            exponent: exponent.clone(),
        })))
    }

    /// The logarithm of `of` to `base`, as a fraction if it is one.
    pub(super) fn logarithm(of: &Rat, base: &Rat) -> Result<Value, String> {
        if !of.is_positive() {
            return Err(format!("the logarithm of {of} is not defined"));
        }
        if !base.is_positive() || *base == Rat::ONE {
            return Err(format!("there is no logarithm to the base {base}"));
        }
        // Above 1, both turned around: log(a, b) = log(1/a, 1/b).
        let (of, base) = match *base < Rat::ONE {
            true => (of.recip(), base.recip()),
            false => (of.clone(), base.clone()),
        };
        if let Some(value) = exact_logarithm(&of, &base, ROUNDS) {
            return Ok(Value::Real(value));
        }
        Ok(Value::Irrational(Box::new(Irrational::Log { of, base })))
    }

    /// Is it below or above a fraction? None if the numbers are too large to say.
    pub(super) fn compare(&self, other: &Rat) -> Option<Ordering> {
        match self {
            Irrational::Log { of, base } => {
                let left = integer_power(of, other.den())?;
                let right = integer_power(base, other.num())?;
                Some(left.cmp(&right))
            }
            Irrational::Power { base, exponent } => {
                if !other.is_positive() {
                    return Some(Ordering::Greater);
                }
                let left = integer_power(base, exponent.num())?;
                let right = integer_power(other, exponent.den())?;
                Some(left.cmp(&right))
            }
        }
    }

    /// Down (0), to the nearest (1) or up (2).
    pub(super) fn rounded(&self, how: u8) -> Option<Int> {
        let floor = self.floor()?;
        let up = match how {
            0 => false,
            1 => {
                let half = &Rat::from(&floor) + &Rat::new(Int::ONE, Int::from(2));
                self.compare(&half)?.is_gt()
            }
            _ => true,
        };
        Some(if up { &floor + &Int::ONE } else { floor })
    }

    /// By doubling, then halving.
    fn floor(&self) -> Option<Int> {
        let above = |n: &Int| Some(self.compare(&Rat::from(n))?.is_gt());
        let two = Int::from(2);
        let (mut low, mut high) = (Int::MINUS_ONE, Int::ONE);
        while above(&high)? {
            high = &high * &two;
        }
        while !above(&low)? {
            low = &low * &two;
        }
        while &high - &low > Int::ONE {
            let middle = (&low + &high).div_floor(&two).0;
            match above(&middle)? {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(low)
    }
}

fn too_large() -> String {
    "the power is too large".to_owned()
}

/// The power with an integer exponent; 0 must not have a negative one. None if it is too large.
fn integer_power(base: &Rat, exponent: &Int) -> Option<Rat> {
    if base.is_zero() {
        return Some(if exponent.is_zero() {
            Rat::ONE
        } else {
            Rat::ZERO
        });
    }
    let unit = base.num().abs().is_one() && base.den().is_one();
    let mut left = match exponent.to_i64() {
        Some(n) => n.unsigned_abs(),
        None if unit => u64::from(!exponent.divides_by_two()),
        None => return None,
    };
    let size = base.num().bits().max(base.den().bits()) as u64;
    if !unit && left.checked_mul(size).is_none_or(|bits| bits > BITS) {
        return None;
    }
    let mut square = match exponent.is_negative() {
        true => base.recip(),
        false => base.clone(),
    };
    let mut power = Rat::ONE;
    while left > 0 {
        if left & 1 == 1 {
            power *= &square;
        }
        left >>= 1;
        if left > 0 {
            square = &square * &square;
        }
    }
    Some(power)
}

trait Even {
    fn divides_by_two(&self) -> bool;
}

impl Even for Int {
    fn divides_by_two(&self) -> bool {
        Int::from(2).divides(self)
    }
}

/// The root of a positive integer, if it is an integer.
fn exact_root(of: &Int, degree: &Int) -> Option<Int> {
    if of.is_one() {
        return Some(Int::ONE);
    }
    let degree = u64::try_from(degree.to_i64()?).ok()?;
    let bits = of.bits() as u64;
    if degree > bits {
        return None;
    }
    let (mut low, mut high) = (Int::ONE, Int::ONE);
    for _ in 0..=bits / degree {
        high = &high * &Int::from(2);
    }
    let degree = Int::from(degree);
    while low <= high {
        let middle = (&low + &high).div_floor(&Int::from(2)).0;
        let power = integer_power(&Rat::from(&middle), &degree)?;
        match power.num().cmp(of) {
            Ordering::Equal => return Some(middle),
            Ordering::Less => low = &middle + &Int::ONE,
            Ordering::Greater => high = &middle - &Int::ONE,
        }
    }
    None
}

/// `p/q` with `base^p = of^q`, if there are such: Euclid's algorithm with logarithms for numbers.
fn exact_logarithm(of: &Rat, base: &Rat, rounds: u32) -> Option<Rat> {
    if *of == Rat::ONE {
        return Some(Rat::ZERO);
    }
    if *of < Rat::ONE {
        return exact_logarithm(&of.recip(), base, rounds).map(|r| -r);
    }
    // of = base^k * rest with 1 <= rest < base, so log = k + 1 / log(base, rest).
    let mut k = 0i64;
    let mut rest = of.clone();
    while rest >= *base {
        rest = &rest / base;
        k += 1;
        if k > 4096 || rest.num().bits() > 1 << 14 {
            return None;
        }
    }
    // Commensurable numbers share their prime factors, so remainders of Euclid's algorithm stay as
    // small as what they come from; others grow, and are irrational.
    let size = |r: &Rat| r.num().bits().max(r.den().bits());
    if rest == Rat::ONE {
        return Some(Rat::from(k));
    }
    if size(&rest) > size(of).max(size(base)) {
        return None;
    }
    let inner = exact_logarithm(base, &rest, rounds.checked_sub(1)?)?;
    Some(&Rat::from(k) + &inner.recip())
}
