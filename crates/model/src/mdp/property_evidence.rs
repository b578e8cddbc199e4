//! What proves that a property of a probabilistic system holds, or that it does not.
//!
//! States are those of the reachable product in the order of [`super::compose`], or, of a system of one component, those of that
//! component; choices are those of the [`Lpts`], counted within their state. Formulas are meant [without `G`](super::StateFormula::without_globally).

use super::evidence::Counterexample;
use super::lpts::Lpts;
use super::numbers::{Amount, Numbers};
use crate::lts::State;

/// Why the probability of an until is at most, or at least, so much in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Going through this many steps, one after another, rounded to that many binary digits (up or down, as
    /// needed); exactly if none are given. Enough for a lower bound of any until with at least
    /// as many steps, and for an upper bound of one with at most as many.
    Steps {
        /// The number of them.
        steps: u64,
        /// Binary digits after the point.
        bits: Option<u32>,
    },
    /// Numbers that no step makes better than they are.
    Inductive(Inductive),
    /// Of an until that counts only after this many steps: these, rounded as in `Steps`, before an until that counts at once.
    Later {
        /// The number of them.
        steps: u64,
        /// Binary digits after the point.
        bits: Option<u32>,
        /// Of the until that counts at once.
        then: Box<Bound>,
    },
    /// Of a reward until something comes true.
    Reward(RewardBound),
}

/// An amount for every state that one step keeps: why an expected reward is at most, or at least, so much.
///
/// Where the goal is, an upper amount is anything and a lower one 0. Elsewhere a finite *upper* amount is at least the reward of the state and the
/// choice and the expected amount after it, and some state after it is the goal or has a lower rank; a finite *lower* amount above 0 is at most
/// that, and of a greatest reward some state after the choice is the goal or has a lower rank. Of the greatest reward an upper amount examines every choice and
/// a lower one at one choice for each state; of the least it is the other way round.
///
/// An upper amount may be infinite anywhere. A lower amount of the greatest reward is infinite where the choice leads to another such state of
/// lower rank, or stays among such states of rank 0 forever; of the least reward, where every choice leads to another such state of lower
/// rank with some probability, or to such states of the same or lower rank only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewardBound {
    /// By state; those of states that are infinite do not matter.
    pub values: Numbers,
    /// The states where it is infinite, ascending.
    pub infinite: Vec<State>,
    /// By state; empty where none is needed.
    pub ranks: Vec<u32>,
    /// The one choice of each state; empty where every choice is examined.
    pub scheduler: Vec<u32>,
}

/// A number for every state that one step keeps.
///
/// *Upper:* at least 1 where the right side is true; where only the left is, at least the expected number
/// after the choice; nowhere below 0. *Lower:* at most 1 where the right side is true, at most 0 where neither is; else at
/// most the expected number after the choice, which also leads, with some probability, to a state of lower rank
/// (states where the right side is true, or the number is at most 0, need no rank and are lower than all others).
///
/// Of the greatest probability an upper bound examines every choice and a lower one at one choice for each state; of the
/// least probability it is the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inductive {
    /// By state.
    pub values: Numbers,
    /// By state; empty for an upper bound.
    pub ranks: Vec<u32>,
    /// The one choice of each state; empty where every choice is examined.
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
    /// The components, by number, in the order of the rule; each is in one group.
    pub groups: Vec<Vec<usize>>,
    /// One less than there are groups.
    pub assumptions: Vec<Lpts>,
    /// For each assumption, where it represents which states.
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

/// Why the greatest or least probability of some paths, or expected reward, is between two numbers. If there are several initial states: in all of
/// them, or the greatest or least of their values, as was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueEvidence {
    /// At least so much.
    pub lower: Amount,
    /// Bounds that show it, as in a certificate; empty for a next step without nested formulas.
    pub lower_bounds: Vec<Bound>,
    /// At most so much.
    pub upper: Amount,
    /// Bounds that show it.
    pub upper_bounds: Vec<Bound>,
}
