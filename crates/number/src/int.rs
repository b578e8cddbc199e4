//! Integers of any size.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use dashu_int::IBig;
use dashu_int::ops::{Abs, DivRemEuclid, Gcd};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An integer: a word if it fits, else a big number. The form is canonical.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small(i64),
    /// Never a number that fits an `i64`.
    Big(Box<IBig>),
}
use Form::{Big, Small};

/// By halving and subtracting (Stein): division is the slowest thing a processor does with words.
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a <= 1 || b <= 1 {
        return if a == 0 || b == 0 { a | b } else { 1 };
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
}

/// Up to this many bits the greatest common divisor is left to the library. Beyond, that of dashu-int 0.4.3 may run out of the
/// memory that it reserved for the first of its divisions, which is a panic.
const LIBRARY_GCD: usize = 1_900;

/// The greatest common divisor of numbers that are not negative, by Lehmer's method: several steps of Euclid's algorithm on the
/// leading bits make one matrix with determinant 1 or -1, which keeps the divisor whatever it is applied to.
fn gcd_big(mut a: IBig, mut b: IBig) -> IBig {
    loop {
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        if bits(&b) <= LIBRARY_GCD {
            if b.is_zero() {
                return a;
            }
            let rest = a % &b;
            return IBig::from(b.gcd(rest));
        }
        let shift = bits(&a) - 62;
        let top = |n: &IBig| i64::try_from(&(n >> shift)).unwrap_or(0);
        let [p, q, r, s] = euclid(top(&a), top(&b)).map(IBig::from);
        let smaller = (&a * p + &b * q).abs();
        let smallest = (&a * r + &b * s).abs();
        if smaller < a && smallest < a {
            (a, b) = (smaller, smallest);
        } else {
            let rest = a % &b;
            (a, b) = (b, rest);
        }
    }
}

/// What Euclid's algorithm makes of two numbers as sums of both, as long as factors are below 2^30 and what is left is not.
fn euclid(mut x: i64, mut y: i64) -> [i64; 4] {
    let [mut p, mut q, mut r, mut s] = [1, 0, 0, 1];
    while y >= 1 << 31 {
        let times = x / y;
        let next = |a: i64, b: i64| a.checked_sub(times.checked_mul(b)?);
        let (Some(t), Some(u)) = (next(p, r), next(q, s)) else {
            break;
        };
        if t.abs().max(u.abs()) >= 1 << 30 {
            break;
        }
        (x, y) = (y, x - times * y);
        (p, q, r, s) = (r, s, t, u);
    }
    [p, q, r, s]
}

fn bits(number: &IBig) -> usize {
    dashu_int::ops::BitTest::bit_len(number)
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Small(0));
    /// One.
    pub const ONE: Int = Int(Small(1));
    /// Minus one.
    pub const MINUS_ONE: Int = Int(Small(-1));

    fn of_big(big: IBig) -> Int {
        match i64::try_from(&big) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Box::new(big))),
        }
    }

    fn big(&self) -> IBig {
        match &self.0 {
            Small(n) => IBig::from(*n),
            Big(n) => (**n).clone(),
        }
    }

    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Is it 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// Below 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Above 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(n) => n.signum() as i32,
            Big(n) => {
                if **n < IBig::ZERO {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Without its sign.
    pub fn abs(&self) -> Int {
        match &self.0 {
            Small(n) => n
                .checked_abs()
                .map_or_else(|| Int::of_big(self.big().abs()), |n| Int(Small(n))),
            Big(n) => Int::of_big((**n).clone().abs()),
        }
    }

    /// The word, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(n) => Some(n),
            Big(_) => None,
        }
    }

    /// The greatest common divisor, never negative; that of 0 and 0 is 0.
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            let a = gcd_u64(a.unsigned_abs(), b.unsigned_abs());
            return i64::try_from(a).map_or_else(|_| Int::of_big(IBig::from(a)), |a| Int(Small(a)));
        }
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        Int::of_big(gcd_big(self.big().abs(), other.big().abs()))
    }

    /// The least common multiple, never negative; with 0 it is 0.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        let (quotient, _) = self.div_floor(&self.gcd(other));
        (&quotient * other).abs()
    }

    /// The quotient rounded down and the remainder, which has the divisor's sign or is 0.
    ///
    /// # Panics
    /// If the divisor is 0.
    #[inline]
    pub fn div_floor(&self, divisor: &Int) -> (Int, Int) {
        assert!(!divisor.is_zero(), "division by zero");
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(q) = a.checked_div(*b)
        {
            let r = a - q * b;
            return if r != 0 && (r < 0) != (*b < 0) {
                (Int(Small(q - 1)), Int(Small(r + b)))
            } else {
                (Int(Small(q)), Int(Small(r)))
            };
        }
        let (q, r) = self.big().div_rem_euclid(divisor.big());
        let (q, r) = (Int::of_big(q), Int::of_big(IBig::from(r)));
        if !r.is_zero() && divisor.is_negative() {
            (&q - &Int::ONE, &r + divisor)
        } else {
            (q, r)
        }
    }

    /// The quotient of SMT-LIB's `div` and the remainder of its `mod`, which is never negative.
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn div_euclid(&self, divisor: &Int) -> (Int, Int) {
        let (q, r) = self.div_floor(divisor);
        if r.is_negative() {
            (&q + &Int::ONE, &r - divisor)
        } else {
            (q, r)
        }
    }

    /// The quotient rounded up.
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        let (q, r) = self.div_floor(divisor);
        if r.is_zero() { q } else { &q + &Int::ONE }
    }

    /// The quotient, for a divisor that divides.
    ///
    /// # Panics
    /// If the divisor is 0.
    #[inline]
    pub fn div_exact(&self, divisor: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(q) = a.checked_div(*b)
        {
            debug_assert_eq!(a % b, 0);
            return Int(Small(q));
        }
        let (q, r) = self.div_floor(divisor);
        debug_assert!(r.is_zero());
        q
    }

    /// Does it divide that number? 0 divides 0 only.
    pub fn divides(&self, other: &Int) -> bool {
        if self.is_zero() {
            other.is_zero()
        } else {
            other.div_floor(self).1.is_zero()
        }
    }

    /// How many bits its magnitude takes, to bound what a model may make.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Small(n) => (64 - n.unsigned_abs().leading_zeros()) as usize,
            Big(n) => dashu_int::ops::BitTest::bit_len(&**n),
        }
    }
}

impl From<i32> for Int {
    fn from(n: i32) -> Int {
        Int(Small(n.into()))
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int(Small(n))
    }
}

impl From<u64> for Int {
    fn from(n: u64) -> Int {
        Int::of_big(IBig::from(n))
    }
}

impl From<i128> for Int {
    fn from(n: i128) -> Int {
        i64::try_from(n).map_or_else(|_| Int(Big(Box::new(IBig::from(n)))), |n| Int(Small(n)))
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident, $op:tt, $assign:ident, $assign_method:ident) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(c) = a.$checked(*b)
                {
                    return Int(Small(c));
                }
                // Kept out of the callers, so that they stay small.
                #[cold]
                fn wide(a: &Int, b: &Int) -> Int {
                    Int::of_big(a.big() $op b.big())
                }
                wide(self, other)
            }
        }
        impl $trait for Int {
            type Output = Int;
            fn $method(self, other: Int) -> Int {
                &self $op &other
            }
        }
        impl $assign<&Int> for Int {
            #[inline]
            fn $assign_method(&mut self, other: &Int) {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(c) = a.$checked(*b)
                {
                    // Writing the word alone spares the test whether a big number must be freed.
                    if let Small(slot) = &mut self.0 {
                        *slot = c;
                    }
                    return;
                }
                *self = &*self $op other;
            }
        }
    };
}
operator!(Add, add, checked_add, +, AddAssign, add_assign);
operator!(Sub, sub, checked_sub, -, SubAssign, sub_assign);
operator!(Mul, mul, checked_mul, *, MulAssign, mul_assign);

impl Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Small(n) => n
                .checked_neg()
                .map_or_else(|| Int::of_big(-self.big()), |n| Int(Small(n))),
            Big(n) => Int::of_big(-(**n).clone()),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Small(_), Big(_)) => 0.cmp(&other.signum()),
            (Big(_), Small(_)) => self.signum().cmp(&0),
            (Big(a), Big(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n) => write!(f, "{n}"),
            Big(n) => write!(f, "{n}"),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Not an integer in decimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an integer in decimal digits")
    }
}

impl std::error::Error for ParseIntError {}

impl FromStr for Int {
    type Err = ParseIntError;
    /// Decimal digits with an optional minus sign and nothing else.
    fn from_str(text: &str) -> Result<Int, ParseIntError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseIntError);
        }
        if let Ok(n) = text.parse::<i64>() {
            return Ok(Int(Small(n)));
        }
        IBig::from_str(text)
            .map(Int::of_big)
            .map_err(|_| ParseIntError)
    }
}

impl Serialize for Int {
    /// A number if it fits a word, else a string.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Small(n) => to.serialize_i64(*n),
            Big(n) => to.collect_str(n),
        }
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Int, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Int;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer, as a number or in decimal digits")
            }
            fn visit_i64<E>(self, n: i64) -> Result<Int, E> {
                Ok(Int::from(n))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Int, E> {
                Ok(Int::from(n))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Int, E> {
                text.parse().map_err(E::custom)
            }
        }
        from.deserialize_any(Visitor)
    }
}
