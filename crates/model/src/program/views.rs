//! Proofs by views: what every two processes can be in together, with what all share.
//!
//! A *view* is the local state of two processes and the shared state. A set of views over-approximates a state if the view of
//! every two processes in it is in the set. A [`ViewProof`] is a set that over-approximates the initial state and is closed under
//! every step from every *join*: local states of some processes, with one shared state, such that every two of them are a view of
//! the set. `certify` has the rules and the reasons.
//!
//! Processes are known by their *places*: the place of a process is its number, and a place exists before and after its process
//! lives. So the program has a fixed number of places.

use super::Question;
use super::semantics::Channel;
use super::symmetry::Symmetry;

/// How the state of a program is split into shared and local states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// How many processes there can be at a time.
    pub places: u32,
    /// For each slot of the shared variables the place whose local state it is put into, if any. Others may read and
    /// write it all the same; the local state is looked at then.
    pub owners: Vec<Option<u32>>,
    /// What of the local states is visible in the shared state as well.
    pub exposed: Vec<Exposure>,
    /// Are invisible steps merged into the step before, and dead variables reset?
    pub merge: bool,
}

/// A predicate on local states that is part of the shared state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exposure {
    /// It is true of a process of this proctype ...
    pub proctype: u32,
    /// ... that is at one of these locations, in ascending order.
    pub locations: Vec<u32>,
    /// What is visible of it.
    pub how: Exposed,
}

/// What is visible of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exposed {
    /// Of how many processes it is true.
    Count,
    /// Of which processes it is true, as a set of bits.
    Bits,
    /// As [`Exposed::Bits`], and every step looks at those processes.
    Witnesses,
}

/// The local state of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local {
    /// Where the process is; 0 if there is none.
    pub location: u32,
    /// Its variables; none if there is no process.
    pub locals: Vec<i32>,
    /// Its priority; 0 if there is no process.
    pub priority: u8,
    /// The shared variables that the place owns, in the order of their slots.
    pub owned: Vec<i32>,
}

/// The part of a state that all processes share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shared {
    /// The shared variables; 0 where a place owns it.
    pub globals: Vec<i32>,
    /// The proctypes of the processes that live. Processes die youngest first, so these are in the first places.
    pub processes: Vec<u32>,
    /// The channels and their messages.
    pub channels: Vec<Channel>,
    /// Who made the last step, where the program looks at `_last`.
    pub last: u32,
    /// Where the claim is that is asked about; 0 if there is none.
    pub claim: u32,
    /// The values of the exposed predicates: a count, or a set of bits.
    pub exposed: Vec<u64>,
}

/// What two places can be in together. The first place is the lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View {
    /// The number of the shared state.
    pub shared: u32,
    /// A place and the number of its local state.
    pub first: (u32, u32),
    /// Another one.
    pub second: (u32, u32),
}

/// That a question is answered with yes, by views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewProof {
    /// The question.
    pub question: Question,
    /// How states are split.
    pub split: Split,
    /// Processes that can be exchanged: the views are those listed and all that come of them by exchanging these. They are views of
    /// the program with [`Symmetry::count`] of these processes, in which nobody dies.
    pub symmetry: Option<Symmetry>,
    /// Is it a proof for any number of these processes? Otherwise the program has as many as the views.
    pub for_any: bool,
    /// The local states.
    pub locals: Vec<Local>,
    /// The shared states.
    pub shared: Vec<Shared>,
    /// The views.
    pub views: Vec<View>,
}

/// What processes do to what others see, as far as a proof by views shows it: the assumption that each process makes about the
/// others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    /// By the statements that do it.
    pub rules: Vec<Rule>,
}

/// What the processes of a proctype do from one location.
///
/// All conditions are true whenever they do. A condition on the shared state is given only if without it the others are
/// true of more of the shared states of the proof; one on variables of processes, if it does not allow all their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The proctype.
    pub proctype: u32,
    /// The location.
    pub location: u32,
    /// What is true before.
    pub when: Vec<Condition>,
    /// The changes of what is visible.
    pub changes: Vec<Change>,
}

/// Something that others see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visible {
    /// A shared variable without an owner, by its slot.
    Shared(u32),
    /// A variable that the process that steps owns, by the name of its array.
    Own(String),
    /// A variable that another process owns.
    Other(String),
    /// How many messages are in the channel of that number, from 0.
    Messages(u32),
    /// How many processes there are.
    Processes,
}

/// Something has one of some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The variable, channel or location.
    pub what: Visible,
    /// The values, in ascending order.
    pub values: Vec<i32>,
}

/// Something gets other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable, channel or location.
    pub what: Visible,
    /// The values before and after, in ascending order; none if there are many.
    pub values: Vec<(i32, i32)>,
}
