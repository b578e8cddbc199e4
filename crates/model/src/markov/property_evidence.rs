//! What proves that a property of a probabilistic system holds, or that it does not.
//!
//! States are those of the reachable product in the order of [`super::compose`], choices those of its [`Lpts`],
//! counted within their state. Formulas are meant [without `G`](super::StateFormula::without_globally).

use suppose_number::Rat;

use super::evidence::Counterexample;
use super::lpts::Lpts;
use crate::lts::State;

/// Why the probability of an until is at most, or at least, so much in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Going through so many steps, one after another, rounded to that many binary digits (up or down, as
    /// needed); exactly if none are given. Enough for a lower bound of any until with at least
    /// as many steps, and for an upper bound of one with at most as many.
    Steps {
        /// How many.
        steps: u64,
        /// Binary digits after the point.
        bits: Option<u32>,
    },
    /// Numbers that no step makes better than they are.
    Inductive(Inductive),
}

/// A number for every state that one step keeps.
///
/// *Upper:* at least 1 where the right side is true; where only the left is, at least the expected number
/// after the choice; nowhere below 0. *Lower:* at most 1 where the right side is true, at most 0 where neither is; else at
/// most the expected number after the choice, which also leads, with some probability, to a state of lower rank
/// (states where the right side is true, or the number is at most 0, need no rank and are lower than all others).
///
/// Of the greatest probability an upper bound looks at every choice and a lower one at one choice for each state; of the
/// least probability it is the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inductive {
    /// By state.
    pub values: Vec<Rat>,
    /// By state; empty for an upper bound.
    pub ranks: Vec<u32>,
    /// The one choice of each state; empty where every choice is looked at.
    pub scheduler: Vec<u32>,
}

/// Why a property holds.
///
/// With one group, of the whole system. With more (the rule ASym-N of the thesis): premise 0 says that group 0 with assumption
/// 0 has the property; premise `i` that group `i` with assumption `i` (the last has none) is simulated by
/// assumption `i - 1`, each reachable state by the one that `folds[i - 1]` gives. A fold keeps propositions, and sends each choice
/// to one of the assumption's on the same label, with the probabilities added up.
#[derive(Clone, Debug, Default)]
pub struct PropertyCertificate {
    /// The components, by number, in the order of the rule; each stands in one group.
    pub groups: Vec<Vec<usize>>,
    /// One less than there are groups.
    pub assumptions: Vec<Lpts>,
    /// For each assumption, where it stands for which states.
    pub folds: Vec<Vec<State>>,
    /// For premise 0: a bound for every until in the formula, arguments before what they are arguments of.
    pub bounds: Vec<Bound>,
}

/// Why a property does not hold.
#[derive(Clone, Debug)]
pub enum PropertyCounterexample {
    /// A finite behaviour of the system that does not have the property, for one that simulation preserves.
    Tree(Box<Counterexample>),
    /// Bounds for every until in the formula, as in a certificate, that show it false in the initial state of the system,
    /// its components in order: for other properties, or where a tree would be too large.
    Bounds(Vec<Bound>),
}

/// Why the greatest or least probability of some paths is between two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueEvidence {
    /// At least so much.
    pub lower: Rat,
    /// Bounds that show it, as in a certificate; empty for a next step without nested formulas.
    pub lower_bounds: Vec<Bound>,
    /// At most so much.
    pub upper: Rat,
    /// Bounds that show it.
    pub upper_bounds: Vec<Bound>,
}
