//! What proves that a probabilistic system conforms to a specification, or that it does not.

use suppose_number::Rat;

use super::lpts::Lpts;
use crate::lts::State;

/// How one choice of the left side is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which choice of the right state, counted within that state.
    pub choice: u32,
}

/// Probability that a weight function sends from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The place of the left state among the targets of its distribution.
    pub from: u32,
    /// The place of the right state among the targets of its distribution.
    pub to: u32,
    /// How much of the probability of both; positive.
    pub amount: Rat,
}

/// A strong simulation between a product of parts (left) and one system (right), with all that is needed to check it
/// pair by pair: for every choice of the left state the choice of the right one that matches it, and the weight function.
///
/// The choices of a product are in the order of [`super::Product::choices`]; the targets of their distributions
/// in the order of that method too. Where one of the two distributions is certain the weight function is
/// forced (each state of the other side gets its whole probability) and is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// How many parts the left side has.
    pub parts: usize,
    /// The left states, `parts` numbers for each pair. The first pair is that of the initial states.
    pub left: Vec<State>,
    /// The right states, one for each pair.
    pub right: Vec<State>,
    /// The matches of all pairs one after another: as many for a pair as its left state has choices.
    pub matches: Vec<Match>,
    /// The weight functions that are not forced, each with the place of its match in `matches`; ascending.
    pub weights: Vec<(u64, Vec<Flow>)>,
}

impl Relation {
    /// How many pairs.
    pub fn len(&self) -> usize {
        self.right.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.right.is_empty()
    }

    /// The left state of a pair.
    pub fn left(&self, pair: usize) -> &[State] {
        &self.left[pair * self.parts..(pair + 1) * self.parts]
    }
}

/// Why a system conforms (the rule ASym-N of the thesis; with one group it is the plain statement).
///
/// Premise `i` (from 0) says: group `i` with assumption `i` (if there is one) is simulated by assumption
/// `i - 1`; premise 0, seen from outside, by the specification. Sound if the alphabet of assumption `i` is within
/// that of the groups after `i`.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    /// The components, by number, in the order of the rule; each is in one group.
    pub groups: Vec<Vec<usize>>,
    /// One less than there are groups.
    pub assumptions: Vec<Lpts>,
    /// One for each group. The parts of a left side are the group's components in order, then the assumption.
    pub premises: Vec<Relation>,
}

/// Why it does not: a finite behaviour of the system that the specification does not simulate.
///
/// Node 0 is the root and branches lead to higher numbers, so both sides can be checked from the leaves up.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The behaviour, in the labels of the components (not as observed from outside).
    pub tree: Lpts,
    /// For every node the states of all components.
    pub states: Vec<Box<[State]>>,
}
