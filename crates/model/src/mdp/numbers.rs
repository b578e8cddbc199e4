//! Numbers that evidence has for every state: fractions, or whole multiples of a power of one half.

use std::fmt;

use suppose_number::{Int, Rat};

/// A number for every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Any fractions.
    Exact(Vec<Rat>),
    /// Multiples of `2^-bits`: two words hold a product with a weight, so no big number is needed.
    Units {
        /// At most [`Numbers::BITS`].
        bits: u32,
        /// How many units.
        values: Vec<u64>,
    },
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers::Exact(Vec::new())
    }
}

impl Numbers {
    /// The most binary digits after the point.
    pub const BITS: u32 = 62;

    /// For how many states.
    pub fn len(&self) -> usize {
        match self {
            Numbers::Exact(values) => values.len(),
            Numbers::Units { values, .. } => values.len(),
        }
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state.
    pub fn get(&self, state: usize) -> Rat {
        match self {
            Numbers::Exact(values) => values[state].clone(),
            Numbers::Units { bits, values } => of_units(values[state], *bits),
        }
    }

    /// Is it more than 0?
    pub fn is_positive(&self, state: usize) -> bool {
        match self {
            Numbers::Exact(values) => values[state].is_positive(),
            Numbers::Units { values, .. } => values[state] > 0,
        }
    }

    /// One by one.
    pub fn iter(&self) -> impl Iterator<Item = Rat> + '_ {
        (0..self.len()).map(|state| self.get(state))
    }
}

fn of_units(units: u64, bits: u32) -> Rat {
    let unit = Int::from(1i64 << bits.min(Numbers::BITS));
    Rat::new(super::distribution::int_of(units), unit)
}

/// A number that is not negative, or more than any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// A finite amount.
    Finite(Rat),
    /// Infinity.
    Infinite,
}

impl Amount {
    /// The number, if it is one.
    pub fn finite(&self) -> Option<&Rat> {
        match self {
            Amount::Finite(number) => Some(number),
            Amount::Infinite => None,
        }
    }
}

impl From<Rat> for Amount {
    fn from(number: Rat) -> Self {
        Amount::Finite(number)
    }
}

impl PartialEq<Rat> for Amount {
    fn eq(&self, other: &Rat) -> bool {
        self.finite() == Some(other)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Finite(number) => number.fmt(f),
            Amount::Infinite => f.write_str("infinity"),
        }
    }
}
