//! Literals as machine words.

use std::ops::Not;

/// A variable of the propositional search with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(pub(crate) u32);

impl Lit {
    /// No literal; larger than all others.
    pub(crate) const NONE: Lit = Lit(u32::MAX);

    pub(crate) fn new(var: u32, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    pub(crate) fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The same, or turned if the sign is false.
    pub(crate) fn signed(self, positive: bool) -> Lit {
        Lit(self.0 ^ u32::from(!positive))
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
