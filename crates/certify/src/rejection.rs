//! Why evidence is not accepted.

use std::fmt;

use suppose_control::Stopped;

/// The check did not end with "accepted".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The check was stopped. Nothing is said about the evidence.
    Stopped(Stopped),
    /// The evidence does not show what it claims to.
    Flawed(Flaw),
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The position.
    pub place: Place,
    /// What, in a sentence without a full stop.
    pub why: String,
}

/// A part of the evidence. Numbers are from 0, as in the evidence itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The system is not one that evidence can be about.
    System,
    /// The evidence as a whole.
    Whole,
    /// A step of a counterexample.
    Step(usize),
    /// A node of a counterexample that is a tree.
    Node(usize),
    /// An assumption of a certificate.
    Assumption(usize),
    /// A premise of a certificate.
    Premise(usize),
    /// The definition of a predicate.
    Definition(usize),
    /// A Horn clause, or the proof of one.
    Clause(usize),
    /// A step of the proof of a Horn clause.
    ProofStep {
        /// The clause.
        clause: usize,
        /// The step.
        step: usize,
    },
    /// A vector in the relation of a premise.
    Vector {
        /// The premise.
        premise: usize,
        /// The vector.
        vector: usize,
    },
}

impl Rejection {
    /// A flaw of the evidence as a whole.
    pub fn flaw(why: impl Into<String>) -> Self {
        Rejection::at(Place::Whole, why)
    }

    /// A flaw at that place.
    pub(crate) fn at(place: Place, why: impl Into<String>) -> Self {
        let why = why.into();
        Rejection::Flawed(Flaw { place, why })
    }

    /// A flaw at a vector of a premise's relation.
    pub(crate) fn at_vector(premise: usize, vector: usize, why: impl Into<String>) -> Self {
        Rejection::at(Place::Vector { premise, vector }, why)
    }
}

impl From<Stopped> for Rejection {
    fn from(why: Stopped) -> Self {
        Rejection::Stopped(why)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::System => f.write_str("the system"),
            Place::Whole => f.write_str("the evidence"),
            Place::Step(step) => write!(f, "step {step}"),
            Place::Node(node) => write!(f, "node {node}"),
            Place::Assumption(number) => write!(f, "assumption {number}"),
            Place::Premise(number) => write!(f, "premise {number}"),
            Place::Definition(number) => write!(f, "definition {number}"),
            Place::Clause(number) => write!(f, "clause {number}"),
            Place::ProofStep { clause, step } => write!(f, "clause {clause}, proof step {step}"),
            Place::Vector { premise, vector } => write!(f, "premise {premise}, vector {vector}"),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Stopped(_) => f.write_str("the check was stopped"),
            Rejection::Flawed(flaw) => write!(f, "{}: {}", flaw.place, flaw.why),
        }
    }
}

impl std::error::Error for Rejection {}
