//! What shows that a verdict is right.
//!
//! Engines produce these; their checkers know no engine.

use super::expr::VarId;
use super::solve::{Inputs, State};

/// A run: states with the inputs of the steps between them. With a loop, the last state is the one where the loop begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The states.
    pub states: Vec<State>,
    /// The inputs of each step: one less than states.
    pub inputs: Vec<Inputs>,
    /// The state that the last step leads back to, if the run continues forever.
    pub loops_to: Option<usize>,
}

/// How much of a counterexample one run can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// All of it: the run alone refutes the property.
    All,
    /// A part: the rest would need several runs, or all of them.
    Part,
}

/// A set of valuations, as decisions on bits: a bit of a variable is one of the number of its value ([`super::Type::code`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// The decisions; each leads to earlier ones only.
    pub nodes: Vec<Decision>,
    /// Where to begin: 0 is the empty set, 1 the full one, and `n + 2` the decision `n`.
    pub root: u32,
}

/// One bit decides how to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The variable.
    pub var: VarId,
    /// Its bit, 0 the lowest.
    pub bit: u32,
    /// Where to continue if it is set, numbered as [`Decisions::root`].
    pub high: u32,
    /// Where to continue if it is not.
    pub low: u32,
}

/// Variables that are abstracted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// State or frozen variables; each is in one cluster at most. Those in none are abstracted away.
    pub vars: Vec<VarId>,
    /// Sets of valuations of these variables: every valuation is in exactly one.
    pub classes: Vec<Decisions>,
}

/// Why a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A set of states that has all initial ones, that no step leaves, and in which the invariant holds (or `AG` of a formula without
    /// time, or `G` of one).
    Invariant(Decisions),
    /// The claim of all states (that of an invariant, of `AG` or of `G`, as above) holds in the first this many states of all runs, and in
    /// every state, reachable or not, after this many in a row in which it does.
    Induction(u32),
    /// The property, in which only universal quantifiers occur, holds of the existential abstraction.
    Abstraction(Vec<Cluster>),
}
