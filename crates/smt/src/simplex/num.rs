//! Numbers with an infinitesimal part.

use std::cmp::Ordering;

use suppose_number::{Int, Rat};

/// `real + small * d` for a positive `d` smaller than every number: so `x < 3` is `x <= 3 - d`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Num {
    pub(crate) real: Rat,
    pub(crate) small: Rat,
}

impl Num {
    pub(crate) fn real(real: Rat) -> Num {
        Num {
            real,
            small: Rat::ZERO,
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.small.is_zero() && self.real.is_integer()
    }

    /// The largest integer not above it.
    pub(crate) fn floor(&self) -> Int {
        if self.real.is_integer() && self.small.is_negative() {
            self.real.num() - &Int::ONE
        } else {
            self.real.floor()
        }
    }

    pub(crate) fn sub(&self, other: &Num) -> Num {
        Num {
            real: &self.real - &other.real,
            small: self.with_small(other, |a, b| a - b),
        }
    }

    fn with_small(&self, other: &Num, both: impl Fn(&Rat, &Rat) -> Rat) -> Rat {
        if self.small.is_zero() && other.small.is_zero() {
            Rat::ZERO
        } else {
            both(&self.small, &other.small)
        }
    }

    pub(crate) fn scale(&self, factor: &Rat) -> Num {
        Num {
            real: &self.real * factor,
            small: if self.small.is_zero() {
                Rat::ZERO
            } else {
                &self.small * factor
            },
        }
    }

    /// Adds `factor * other`.
    pub(crate) fn add_scaled(&mut self, other: &Num, factor: &Rat) {
        self.real.add_product(&other.real, factor);
        if !other.small.is_zero() {
            self.small.add_product(&other.small, factor);
        }
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Num) -> Ordering {
        self.real
            .cmp(&other.real)
            .then_with(|| self.small.cmp(&other.small))
    }
}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
