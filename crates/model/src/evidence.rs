//! What proves a verdict.
//!
//! A counterexample is a run of the whole system. A certificate is a list of *premises*, each a
//! finite relation that one pass can check; the rules of compositional reasoning are all of this
//! one form, and the monolithic proof is the case of a single premise without assumptions.

use crate::lts::{Label, Lts};
use crate::relation::Relation;

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The processes never all stop (unless all are at their end).
    DeadlockFree,
    /// The property of that number in the network is never violated.
    Property(usize),
}

/// One step of the whole system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action.
    pub label: Label,
    /// The state of every component of the network after it.
    pub states: Vec<u32>,
}

/// A run of the whole system from its initial state to the violation.
///
/// For a property, the last step is the one the property does not allow. For deadlock, the last
/// state is the one where nothing can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What it refutes.
    pub claim: Claim,
    /// The run.
    pub steps: Vec<Step>,
}

/// An assumption about some components: what the others may rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its behaviour: an LTS without error state over its alphabet, perhaps nondeterministic.
    pub lts: Lts,
    /// What each of its states represents; empty when nothing is known.
    pub nodes: Vec<Node>,
}

/// What a state of an assumption represents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// How many concrete states.
    pub count: u64,
    /// Some of them, by name.
    pub examples: Vec<String>,
}

/// What a premise establishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// The assumption of that number.
    Assumption(usize),
    /// The property of that number.
    Property(usize),
    /// That the processes never all stop. Only without assumptions and with all components.
    DeadlockFree,
}

/// "These components, under these assumptions, have this guarantee", with the reason.
///
/// The relation holds vectors with one slot for each component, one for each assumption used, in
/// the order given, and (unless the guarantee is freedom from deadlock) a last one for the state
/// of the guarantee's LTS. It contains the vector of initial states; and for every vector `(s, x)`
/// in it and every step of the left side `s -a-> s'` (a label of the guarantee that the left side
/// does not have is a step that leaves `s` alone): if `a` is not a label of the guarantee, `(s', x)`
/// is in it, else some `(s', y)` with `x -a-> y` is. So every trace of the left side, restricted
/// to the labels of the guarantee, is one of the guarantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Numbers of components of the network.
    pub components: Vec<usize>,
    /// Numbers of assumptions; each is guaranteed by an earlier premise.
    pub assumptions: Vec<usize>,
    /// What follows.
    pub guarantee: Guarantee,
    /// Why.
    pub relation: Relation,
}

/// Proof that a claim holds: the last premise guarantees the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What it proves.
    pub claim: Claim,
    /// The assumptions, numbered.
    pub assumptions: Vec<Assumption>,
    /// The premises, each using only assumptions that earlier ones guarantee.
    pub premises: Vec<Premise>,
}
