//! Probabilities for people.

use suppose_model::mdp::Amount;
use suppose_number::{Int, Rat};

/// A longer fraction is shown as a decimal number.
const LONGEST: usize = 24;
/// Digits of a decimal number.
const DIGITS: usize = 9;

/// `1/3`, or a decimal number where the fraction would be long.
pub(super) fn fraction(p: &Rat) -> String {
    let exact = p.to_string();
    match exact.len() <= LONGEST {
        true => exact,
        false => format!("≈{}", decimal(p)),
    }
}

/// `0.333333333`, `1.25e-12`, cut after a few digits.
pub(super) fn decimal(p: &Rat) -> String {
    if p.is_zero() {
        return "0".to_owned();
    }
    let sign = if p.is_negative() { "-" } else { "" };
    let (num, den) = (p.num().abs(), p.den());
    let ten = Int::from(10);
    let (mut small, mut zeros) = (num.clone(), 0usize);
    while &small * &ten < *den && zeros < 10_000 {
        small = &small * &ten;
        zeros += 1;
    }
    let scientific = zeros >= 6;
    let mut scaled = if scientific { &small * &ten } else { num };
    (0..DIGITS).for_each(|_| scaled = &scaled * &ten);
    let digits = scaled.div_floor(den).0.to_string();
    let digits = format!("{digits:0>width$}", width = DIGITS + 1);
    let (whole, rest) = digits.split_at(digits.len() - DIGITS);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    match scientific {
        true => format!("{sign}{whole}{point}{rest}e-{}", zeros + 1),
        false => format!("{sign}{whole}{point}{rest}"),
    }
}

/// A value that lies between two amounts.
pub(super) fn amounts(lower: &Amount, upper: &Amount) -> String {
    match (lower, upper) {
        (Amount::Finite(lower), Amount::Finite(upper)) => between(lower, upper),
        (Amount::Finite(lower), Amount::Infinite) => {
            format!("between {} and infinity", decimal(lower))
        }
        (Amount::Infinite, _) => "infinity".to_owned(),
    }
}

/// As a decimal number.
pub(super) fn decimal_amount(amount: &Amount) -> String {
    amount
        .finite()
        .map_or_else(|| "infinity".to_owned(), decimal)
}

/// The value of a probability that lies between two numbers.
pub(super) fn between(lower: &Rat, upper: &Rat) -> String {
    if lower == upper {
        let (exact, near) = (fraction(lower), decimal(lower));
        return match exact == near || exact.starts_with('≈') {
            true => exact,
            false => format!("{exact} ({near})"),
        };
    }
    let (a, b) = (decimal(lower), decimal(upper));
    match a == b {
        true => format!("≈{a}"),
        false => format!("between {a} and {b}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rat(num: i64, den: i64) -> Rat {
        Rat::new(Int::from(num), Int::from(den))
    }

    #[test]
    fn decimals_are_cut_and_small_ones_have_exponents() {
        assert_eq!(decimal(&rat(1, 3)), "0.333333333");
        assert_eq!(decimal(&rat(1, 2)), "0.5");
        assert_eq!(decimal(&rat(0, 1)), "0");
        assert_eq!(decimal(&rat(1, 1)), "1");
        assert_eq!(decimal(&rat(5, 4)), "1.25");
        assert_eq!(decimal(&rat(1, 8_000_000_000)), "1.25e-10");
        assert_eq!(decimal(&rat(-1, 10_000)), "-0.0001");
        assert_eq!(decimal(&rat(1, 10_000_000)), "1e-7");
    }

    #[test]
    fn values_are_exact_if_they_can_be() {
        assert_eq!(between(&rat(1, 3), &rat(1, 3)), "1/3 (0.333333333)");
        assert_eq!(between(&rat(1, 1), &rat(1, 1)), "1");
        assert_eq!(
            between(&rat(1, 3), &rat(1, 2)),
            "between 0.333333333 and 0.5"
        );
        let near = Rat::new(
            Int::from(333_333_333_333i64),
            Int::from(1_000_000_000_000i64),
        );
        assert_eq!(between(&near, &rat(1, 3)), "≈0.333333333");
    }
}
