//! Verdicts and what is known of the run that led to them.

use std::time::Duration;

use suppose_control::Stopped;

use crate::evidence::{Assumption, Certificate, Claim, Counterexample, Premise};

/// The answer to a claim: what proves it, what refutes it, or why it is not decided. The evidence of networks is the default; every other
/// kind of model has its own.
#[derive(Clone, Debug)]
pub enum Verdict<P = Box<Certificate>, R = Counterexample> {
    /// It holds, and here is why.
    Holds(P),
    /// It does not, and here is what shows it.
    Violated(R),
    /// Not decided, and here is what stopped it.
    Unknown(Reason),
}

impl<P, R> Verdict<P, R> {
    /// Is the claim refuted?
    pub fn is_violated(&self) -> bool {
        matches!(self, Verdict::Violated(_))
    }

    /// Is the claim not decided?
    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown(_))
    }

    /// Why the claim is not decided, if it is not.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Holds(_) | Verdict::Violated(_) => None,
        }
    }

    /// The verdict without its evidence.
    pub fn outcome(&self) -> Outcome<'_> {
        match self {
            Verdict::Holds(_) => Outcome::Holds,
            Verdict::Violated(_) => Outcome::Violated,
            Verdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

/// A verdict without its evidence, whatever it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// The claim holds, or the number that was asked for is known.
    Holds,
    /// The claim is violated.
    Violated,
    /// The claim is not decided.
    Unknown(&'a Reason),
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// The disk does not take what has to be kept there; the text says why.
    Disk(String),
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
            Reason::Disk(_) => "disk",
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
    /// The size of the alphabet of the assumptions.
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

/// Statistics of a run of an engine.
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
    /// The claim that was checked.
    pub claim: Claim,
    /// The name of the engine that gave the answer.
    pub engine: String,
    /// The verdict, with its evidence or the reason why there is none.
    pub verdict: Verdict,
    /// Statistics of the run.
    pub run: Run,
}

/// What the answers about models of every kind have in common.
pub trait Answered {
    /// What is asked of such a model.
    type Claim: Clone + PartialEq + Send + Sync + 'static;

    /// The claim that was checked.
    fn claim(&self) -> &Self::Claim;

    /// The name of the engine that gave the answer.
    fn engine(&self) -> &str;

    /// The verdict, without its evidence.
    fn outcome(&self) -> Outcome<'_>;

    /// Statistics of the run.
    fn run(&self) -> &Run;
}

/// Implements [`Answered`] for a struct with fields of these names.
macro_rules! answered {
    ($answer:ty, $claim:ty) => {
        impl $crate::answer::Answered for $answer {
            type Claim = $claim;

            fn claim(&self) -> &$claim {
                &self.claim
            }

            fn engine(&self) -> &str {
                &self.engine
            }

            fn outcome(&self) -> $crate::answer::Outcome<'_> {
                self.verdict.outcome()
            }

            fn run(&self) -> &$crate::answer::Run {
                &self.run
            }
        }
    };
}
pub(crate) use answered;

answered!(Answer, Claim);

/// What the independent checker said of the evidence for a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvidenceStatus {
    /// The checker accepted it.
    Accepted,
    /// It was not checked; the text says why.
    NotChecked(String),
    /// It is not sound, which is a bug; the text says where. The verdict counts as unknown.
    Rejected(String),
}

/// An answer to one claim, with what became of its evidence.
#[derive(Clone, Debug)]
pub struct Finding<A = Answer> {
    /// The answer.
    pub answer: A,
    /// What the independent checker said of its evidence.
    pub evidence: EvidenceStatus,
    /// Why this engine was chosen.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

impl<A> Finding<A> {
    /// An answer whose evidence was not written to a file.
    pub fn new(answer: A, evidence: EvidenceStatus, why_engine: impl Into<String>) -> Self {
        Finding {
            answer,
            evidence,
            why_engine: why_engine.into(),
            certificate_file: None,
        }
    }

    /// An answer without a verdict, so without evidence.
    pub fn undecided(answer: A, why_engine: impl Into<String>) -> Self {
        let none = EvidenceStatus::NotChecked("there is none".to_owned());
        Finding::new(answer, none, why_engine)
    }

    /// Was the evidence not rejected?
    pub fn is_sound(&self) -> bool {
        !matches!(self.evidence, EvidenceStatus::Rejected(_))
    }
}
