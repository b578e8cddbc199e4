//! Numbers of any size in a file: a JSON number if it fits a word, else decimal digits in a string. A fraction
//! is a string too.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};
use suppose_model::chc::limits::{MOST_BITS, MOST_BITS_DIGITS, fits};
use suppose_number::{Int, Rat};

fn too_long() -> String {
    format!("the number has more than {MOST_BITS} bits")
}

/// An integer.
pub(crate) struct Whole(pub Int);

/// An integer or a fraction.
pub(crate) struct Fraction(pub Rat);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_integer() {
            self.0.num().serialize(to)
        } else {
            to.collect_str(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Whole, D::Error> {
        let Fraction(number) = Fraction::deserialize(from)?;
        match number.is_integer() {
            true => Ok(Whole(number.num().clone())),
            false => Err(D::Error::custom("this number must be an integer")),
        }
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fraction, D::Error> {
        from.deserialize_any(Digits)
    }
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = Fraction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or one as a string")
    }

    fn visit_i64<E>(self, n: i64) -> Result<Fraction, E> {
        Ok(Fraction(Rat::from(n)))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Fraction, E> {
        Ok(Fraction(Rat::from(Int::from(n))))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Fraction, E> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        // A sign, and nothing else, may be there besides the digits.
        if num.len().max(den.len()) > MOST_BITS_DIGITS + 1 {
            return Err(E::custom(too_long()));
        }
        let num = Int::from_str(num).map_err(E::custom)?;
        let den = Int::from_str(den).map_err(E::custom)?;
        if !den.is_positive() {
            return Err(E::custom("a denominator must be positive"));
        }
        if !fits(&num) || !fits(&den) {
            return Err(E::custom(too_long()));
        }
        Ok(Fraction(Rat::new(num, den)))
    }
}
