//! Answers about probabilistic systems.

use suppose_number::Rat;

use super::{
    Amount, Certificate, Counterexample, Lpts, PropertyCertificate, PropertyCounterexample,
    ValueEvidence,
};
use crate::Run;
use crate::answer::answered;
use crate::lts::State;

/// What is asked of a probabilistic system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It conforms to the specification.
    Conformance,
    /// It has the property of that name.
    Property(String),
    /// No reachable state is without a choice.
    Deadlock,
}

impl Claim {
    /// As the last line has it.
    pub fn name(&self) -> &str {
        match self {
            Claim::Conformance => "conformance",
            Claim::Property(name) => name,
            Claim::Deadlock => "deadlock",
        }
    }
}

/// A verdict on a probabilistic system, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The claim that was checked.
    pub claim: Claim,
    /// The name of the engine that gave the answer.
    pub engine: String,
    /// The verdict, with its evidence or the reason why there is none.
    pub verdict: Verdict,
    /// Of a property: its greatest or least value.
    pub value: Option<ValueBounds>,
    /// Statistics of the run.
    pub run: Run,
}

/// The verdict on a probabilistic system.
pub type Verdict = crate::Verdict<Proof, Refutation>;

/// Why a claim holds.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The system conforms.
    Conformance(Box<Certificate>),
    /// It has the property.
    Property(Box<PropertyCertificate>),
    /// A value was asked for, and its bounds are proved.
    Value(Box<ValueEvidence>),
    /// All reachable states were searched, and each has a choice.
    NoDeadlock,
}

impl Proof {
    /// The assumptions that it uses, and the groups of components in its order.
    pub fn assumptions(&self) -> (&[Lpts], &[Vec<usize>]) {
        match self {
            Proof::Conformance(proof) => (&proof.assumptions, &proof.groups),
            Proof::Property(proof) => (&proof.assumptions, &proof.groups),
            Proof::Value(_) | Proof::NoDeadlock => (&[], &[]),
        }
    }
}

/// Why a claim does not hold.
#[derive(Clone, Debug)]
pub enum Refutation {
    /// The system does not conform.
    Conformance {
        /// The behaviour that shows it.
        tree: Box<Counterexample>,
        /// Why the specification cannot follow it.
        refusals: Vec<Refusal>,
    },
    /// The property is false.
    Property(Box<PropertyCounterexample>),
    /// A path leads to a state without a choice: the one of the last node.
    Deadlock(Box<Counterexample>),
}

impl Refutation {
    /// The behaviour that shows it; none if there are bounds on probabilities instead.
    pub fn tree(&self) -> Option<&Counterexample> {
        match self {
            Refutation::Conformance { tree, .. } | Refutation::Deadlock(tree) => Some(tree),
            Refutation::Property(found) => match &**found {
                PropertyCounterexample::Tree(tree) => Some(tree),
                PropertyCounterexample::Bounds(_) => None,
            },
        }
    }
}

/// Why a state of the specification does not simulate a node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The node.
    pub node: State,
    /// The state of the specification.
    pub state: State,
    /// Why the state does not simulate the node.
    pub why: Refused,
}

/// Why a state of the specification does not simulate a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// They disagree on that proposition.
    Proposition(u32),
    /// That choice of the node (counted within it) is matched by no choice of the state: for each with the same action,
    /// nodes that the tree reaches with more probability than the states have that could simulate any of them.
    Choice {
        /// Counted within the node.
        choice: usize,
        /// One for each choice of the state with the same action.
        options: Vec<Deficit>,
    },
}

/// Nodes for which a choice of the specification has too little probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deficit {
    /// Which choice of the state, counted within it.
    pub choice: usize,
    /// The nodes.
    pub nodes: Vec<State>,
    /// Their probability.
    pub needed: Rat,
    /// The probability of the states that simulate any of them.
    pub available: Rat,
}

/// A greatest or least value that lies between two numbers.
#[derive(Clone, Debug)]
pub struct ValueBounds {
    /// At least so much.
    pub lower: Amount,
    /// At most so much.
    pub upper: Amount,
    /// An expected reward, or a probability?
    pub is_reward: bool,
    /// In this many initial states; 1 too if only one of their values was asked for.
    pub initials: usize,
}

/// The sizes of a composition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Reachable states.
    pub states: u64,
    /// Choices.
    pub choices: u64,
    /// Branches of all choices (what PRISM calls transitions).
    pub transitions: u64,
    /// States without a choice.
    pub deadlocks: u64,
}

answered!(Answer, Claim);
