//! Verdicts and what is known of the run that led to them.

use std::time::Duration;

use suppose_control::Stopped;

use crate::evidence::{Assumption, Certificate, Claim, Counterexample, Premise};

/// The answer to a claim. There is no verdict without evidence or a reason.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, and here is why.
    Holds(Box<Certificate>),
    /// It does not, and here is a run that shows it.
    Violated(Counterexample),
    /// Not decided, and here is what stopped it.
    Unknown(Reason),
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// The user stopped it.
    Interrupted,
    /// The limit on refinement rounds.
    Iterations,
    /// The engine cannot decide this claim on this system; the text says why.
    Unsupported(String),
    /// The evidence did not pass the independent check: a bug.
    Rejected(String),
    /// A bug of another kind.
    Internal(String),
}

impl Reason {
    /// The word in `unknown(<reason>)`.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Interrupted => "interrupted",
            Reason::Iterations => "iterations",
            Reason::Unsupported(_) => "unsupported",
            Reason::Rejected(_) => "certificate rejected",
            Reason::Internal(_) => "internal error",
        }
    }
}

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Reason {
        match stopped {
            Stopped::Timeout | Stopped::Superseded => Reason::Timeout,
            Stopped::Memory => Reason::Memory,
            Stopped::Interrupted => Reason::Interrupted,
            Stopped::Iterations => Reason::Iterations,
        }
    }
}

/// One round of refinement, for the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: u64,
    /// States of the assumption (of all assumptions together) in that round.
    pub assumption_states: u64,
    /// Labels the assumptions speak of.
    pub alphabet: u64,
    /// States of the product explored in that round.
    pub states: u64,
    /// What was done after it, in a few words.
    pub refined: String,
}

/// What is required of a process, as far as it was known when a limit came: not final. The process
/// guarantees it, by the premise. Whether the property holds of the others with it is not decided, but they
/// keep the property with it exactly if they keep it with the process: states were merged only where that
/// makes no difference.
#[derive(Clone, Debug, PartialEq)]
pub struct SoFar {
    /// The requirement; number 0 in the premise.
    pub assumption: Assumption,
    /// Why the process guarantees it.
    pub premise: Premise,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// States explored in all.
    pub states: u64,
    /// Transitions explored in all.
    pub transitions: u64,
    /// States of the largest single state space held at once.
    pub largest: u64,
    /// The most states any assumption of the run had (the paper's |A|).
    pub assumption_peak: u64,
    /// Queries asked of a teacher, for learners.
    pub queries: u64,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// A limit came before the assumption was as small as the engine could have made it.
    pub unfinished: bool,
    /// What an engine that found no verdict has to hand over.
    pub so_far: Option<Box<SoFar>>,
    /// The groups of components, in the order of the rule; one group when monolithic.
    pub groups: Vec<Vec<usize>>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// A claim, its verdict, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub claim: Claim,
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub run: Run,
}
