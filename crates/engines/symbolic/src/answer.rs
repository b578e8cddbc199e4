//! What engines answer.

use suppose_model::fsm::{Proof, Shows, Trace};

/// What was found out about a property.
#[derive(Clone, Debug)]
pub enum SymbolicVerdict {
    /// It holds, with a proof where there is one.
    Holds(Option<Proof>),
    /// It does not; the run shows why, wholly or in part.
    Fails(Trace, Shows),
    /// The number that `COMPUTE` asks for; none is infinite.
    Steps(Option<u64>),
    /// Nothing, for the reason said: a sentence for people.
    Unknown(String),
}

/// An answer with what it took.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was found out.
    pub found: SymbolicVerdict,
    /// What it took.
    pub effort: Effort,
}

/// What an answer took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// State variables that were abstracted at first (not all their values told apart); none without abstraction.
    pub abstracted: usize,
    /// How often the abstraction was refined.
    pub refinements: u64,
    /// Abstract states that the classes of the last abstraction make, as bits: the sum of bits that number the classes.
    pub abstract_bits: usize,
    /// Nodes of the relation of steps.
    pub relation_nodes: usize,
    /// The most nodes beside it.
    pub checking_nodes: usize,
    /// How often the order of the variables was looked over.
    pub reorderings: u64,
    /// Steps to the farthest reachable state that was looked at.
    pub depth: usize,
}
