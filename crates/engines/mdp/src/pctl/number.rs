//! Between fractions and floating-point numbers, and rounding fractions to few binary digits.

use suppose_number::{Int, Rat};

/// The digits that certified numbers are rounded to: two words hold their products.
pub(super) const DIGITS: u32 = 60;

/// About the same number.
pub(super) fn to_float(number: &Rat) -> f64 {
    let (num, den) = (number.num(), number.den());
    if let (Some(num), Some(den)) = (num.to_i64(), den.to_i64()) {
        return num as f64 / den as f64;
    }
    // Scaled so that the quotient has about 62 binary digits.
    let shift = 62 + den.bits() as i64 - num.bits() as i64;
    let (num, den) = match shift >= 0 {
        true => (num * &power(shift as u64), den.clone()),
        false => (num.clone(), den * &power(shift.unsigned_abs())),
    };
    let quotient = num.div_floor(&den).0;
    let quotient = quotient.to_i64().unwrap_or(i64::MAX) as f64;
    quotient * 2f64.powi((-shift).clamp(-2000, 2000) as i32)
}

/// Two to that power.
pub(super) fn power(mut exponent: u64) -> Int {
    let (mut result, mut square) = (Int::ONE, Int::from(2));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = &result * &square;
        }
        square = &square * &square;
        exponent >>= 1;
    }
    result
}

/// In units of `2^-DIGITS`, rounded up or down. Between 0 and 1 it fits.
pub(super) fn to_units(number: &Rat, up: bool) -> u64 {
    let scaled = number.num() * &Int::from(1i64 << DIGITS);
    let whole = match up {
        true => scaled.div_ceil(number.den()),
        false => scaled.div_floor(number.den()).0,
    };
    whole.to_i64().map_or(0, |w| w.max(0) as u64)
}

/// A number that is not negative in units of `2^-bits`, rounded up or down; none if it does not fit.
pub(super) fn units(number: &Rat, bits: u32, up: bool) -> Option<u64> {
    let scaled = number.num() * &Int::from(1i64 << bits);
    let whole = match up {
        true => scaled.div_ceil(number.den()),
        false => scaled.div_floor(number.den()).0,
    };
    whole.to_i64().and_then(|w| u64::try_from(w).ok())
}

/// A floating-point number in units of `2^-bits`, rounded to the nearest or so; what is too large is cut off.
pub(super) fn float_to_units(number: f64, bits: u32) -> u64 {
    let one = (1u64 << bits) as f64;
    // The conversion saturates, and sends what is no number to 0.
    ((number * one) as u64).min(1 << 62)
}

/// How many binary digits a fraction takes.
pub(super) fn size(number: &Rat) -> usize {
    number.num().bits() + number.den().bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_any_size_become_floats() {
        let third = Rat::new(power(500), &power(500) * &Int::from(3));
        assert_eq!(to_float(&third), 1.0 / 3.0);
        let huge = &power(300) + &Int::ONE;
        let near = Rat::new(huge.clone(), &huge * &Int::from(3));
        assert!((to_float(&near) - 1.0 / 3.0).abs() < 1e-15);
        let tiny = Rat::new(Int::ONE, power(5000));
        assert_eq!(to_float(&tiny), 0.0);
        assert!((to_float(&Rat::new(Int::ONE, power(100))) - 2f64.powi(-100)).abs() < 1e-45);
        assert_eq!(to_float(&Rat::ZERO), 0.0);
    }

    #[test]
    fn rounding_goes_where_it_should() {
        let third = Rat::new(Int::ONE, Int::from(3));
        let (down, up) = (to_units(&third, false), to_units(&third, true));
        assert_eq!(up, down + 1);
        assert_eq!(to_units(&Rat::ONE, true), 1 << DIGITS);
        assert_eq!(float_to_units(f64::NAN, DIGITS), 0);
        assert_eq!(float_to_units(2.0, 10), 1 << 11);
        assert_eq!(units(&third, 2, true), Some(2));
        assert_eq!(units(&Rat::from(Int::from(i64::MAX)), 2, true), None);
    }
}
