//! Rational numbers of any size.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::Int;
use crate::int::gcd_u64;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat {
    num: Int,
    den: Int,
}

fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_u64(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat {
        num: Int::ZERO,
        den: Int::ONE,
    };
    /// One.
    pub const ONE: Rat = Rat {
        num: Int::ONE,
        den: Int::ONE,
    };

    /// That fraction.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn new(num: Int, den: Int) -> Rat {
        assert!(!den.is_zero(), "division by zero");
        if den.is_one() {
            return Rat { num, den };
        }
        let divisor = num.gcd(&den);
        let divisor = if den.is_negative() { -divisor } else { divisor };
        if divisor.is_one() {
            return Rat { num, den };
        }
        Rat {
            num: num.div_exact(&divisor),
            den: den.div_exact(&divisor),
        }
    }

    /// From numbers that two words hold: no big number unless the result needs one.
    fn of_wide(num: i128, den: i128) -> Rat {
        if let (Ok(num), Ok(den)) = (i64::try_from(num), i64::try_from(den)) {
            let divisor = gcd_u64(num.unsigned_abs(), den.unsigned_abs());
            // Not above the denominator, so it fits.
            let divisor = divisor as i64;
            return Rat {
                num: Int::from(num / divisor),
                den: Int::from(den / divisor),
            };
        }
        let divisor = gcd_u128(num.unsigned_abs(), den.unsigned_abs()) as i128;
        Rat {
            num: Int::from(num / divisor),
            den: Int::from(den / divisor),
        }
    }

    fn words(&self) -> Option<(i128, i128)> {
        Some((self.num.to_i64()?.into(), self.den.to_i64()?.into()))
    }

    /// The numerator.
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The denominator, at least 1.
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Without a fraction?
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.den.is_one()
    }

    /// Below 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.num.is_negative()
    }

    /// Above 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.num.is_positive()
    }

    /// Without its sign.
    pub fn abs(&self) -> Rat {
        Rat {
            num: self.num.abs(),
            den: self.den.clone(),
        }
    }

    /// The largest integer not above it.
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den).0
    }

    /// The smallest integer not below it.
    pub fn ceil(&self) -> Int {
        self.num.div_ceil(&self.den)
    }

    /// One over it.
    ///
    /// # Panics
    /// If it is 0.
    pub fn recip(&self) -> Rat {
        assert!(!self.is_zero(), "division by zero");
        if self.num.is_negative() {
            Rat {
                num: -&self.den,
                den: -&self.num,
            }
        } else {
            Rat {
                num: self.den.clone(),
                den: self.num.clone(),
            }
        }
    }

    /// `self + a * b`, the inner step of linear algebra.
    #[inline]
    pub fn add_product(&mut self, a: &Rat, b: &Rat) {
        if self.den.is_one() && a.den.is_one() && b.den.is_one() {
            self.num += &(&a.num * &b.num);
            return;
        }
        *self = &*self + &(a * b);
    }
}

impl Default for Rat {
    fn default() -> Rat {
        Rat::ZERO
    }
}

impl From<Int> for Rat {
    fn from(num: Int) -> Rat {
        Rat { num, den: Int::ONE }
    }
}

impl From<&Int> for Rat {
    fn from(num: &Int) -> Rat {
        Rat::from(num.clone())
    }
}

impl From<i64> for Rat {
    fn from(num: i64) -> Rat {
        Rat::from(Int::from(num))
    }
}

impl Add<&Rat> for &Rat {
    type Output = Rat;
    fn add(self, other: &Rat) -> Rat {
        if self.den.is_one() && other.den.is_one() {
            return Rat::from(&self.num + &other.num);
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words())
            && let Some(sum) = (a * d).checked_add(c * b)
        {
            return Rat::of_wide(sum, b * d);
        }
        Rat::new(
            &(&self.num * &other.den) + &(&other.num * &self.den),
            &self.den * &other.den,
        )
    }
}

impl Sub<&Rat> for &Rat {
    type Output = Rat;
    fn sub(self, other: &Rat) -> Rat {
        if self.den.is_one() && other.den.is_one() {
            return Rat::from(&self.num - &other.num);
        }
        self + &-other
    }
}

impl Mul<&Rat> for &Rat {
    type Output = Rat;
    fn mul(self, other: &Rat) -> Rat {
        if self.den.is_one() && other.den.is_one() {
            return Rat::from(&self.num * &other.num);
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words()) {
            return Rat::of_wide(a * c, b * d);
        }
        Rat::new(&self.num * &other.num, &self.den * &other.den)
    }
}

impl Div<&Rat> for &Rat {
    type Output = Rat;
    /// # Panics
    /// If the divisor is 0.
    fn div(self, other: &Rat) -> Rat {
        let inverse = other.recip();
        self.mul(&inverse)
    }
}

macro_rules! by_value {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for Rat {
            type Output = Rat;
            fn $method(self, other: Rat) -> Rat {
                &self $op &other
            }
        }
    )*};
}
by_value!(Add add +, Sub sub -, Mul mul *, Div div /);

impl AddAssign<&Rat> for Rat {
    fn add_assign(&mut self, other: &Rat) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rat> for Rat {
    fn sub_assign(&mut self, other: &Rat) {
        *self = &*self - other;
    }
}

impl MulAssign<&Rat> for Rat {
    fn mul_assign(&mut self, other: &Rat) {
        *self = &*self * other;
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        Rat {
            num: -&self.num,
            den: self.den.clone(),
        }
    }
}

impl Neg for Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        -&self
    }
}

impl Ord for Rat {
    #[inline]
    fn cmp(&self, other: &Rat) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words()) {
            return (a * d).cmp(&(c * b));
        }
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
