//! Linear temporal logic on infinite words, and Büchi automata.
//!
//! The propositions of a formula are numbered *atoms*; the caller decides what an atom means. [`Formulas`]
//! keeps formulas in negation normal form and simplifies them as they are built; [`parse()`] reads the syntax of SPIN.
//! [`Generalised::of`] translates a formula to an automaton with acceptance sets of transitions (Gastin and Oddoux, "Fast
//! LTL to Büchi automata translation", CAV 2001), [`Buchi::of`] goes on to one acceptance set of states and makes the
//! automaton small. [`hoa`] reads and writes automata in the Hanoi format.

mod buchi;
mod formula;
mod generalised;
pub mod hoa;
pub mod never;
mod parse;
mod print;
mod reachable;
mod simplify;
mod simulation;

pub use buchi::Buchi;
pub use formula::{Formulas, Id, Node};
pub use generalised::{Edge, Generalised, TooLarge};
pub use parse::{ParseError, parse};
pub use print::{Printed, Style};

/// A conjunction of literals over at most [`MAX_ATOMS`] atoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// Atoms that must be true.
    pub positive: u128,
    /// Atoms that must be false.
    pub negative: u128,
}

/// The most atoms that a formula may have to be translated.
pub const MAX_ATOMS: u32 = 128;

impl Cube {
    /// Always true.
    pub const TRUE: Cube = Cube {
        positive: 0,
        negative: 0,
    };

    /// One literal.
    pub fn literal(atom: u32, positive: bool) -> Cube {
        let bit = 1 << atom;
        match positive {
            true => Cube {
                positive: bit,
                negative: 0,
            },
            false => Cube {
                positive: 0,
                negative: bit,
            },
        }
    }

    /// Both, unless they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
        };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Is it true wherever the other is?
    pub fn covers(self, other: Cube) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// Is it true if exactly these atoms are?
    pub fn allows(self, valuation: u128) -> bool {
        self.positive & !valuation == 0 && self.negative & valuation == 0
    }
}
