//! One claim with its answer, and what became of its evidence.

use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_report::{Checked, Evidence};

use crate::exit::ExitStatus;

/// One claim, decided or not.
#[derive(Clone, Debug)]
pub(crate) struct Finding<A = Answer> {
    /// The answer.
    pub answer: A,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

/// An answer on a model of whatever kind.
pub(crate) trait Answered {
    /// What it is about.
    type Claim: Clone + PartialEq + Send + Sync + 'static;
    /// The claim.
    fn claim(&self) -> Self::Claim;
    /// The engine that gave it.
    fn engine(&self) -> &str;
    /// The verdict, without its evidence.
    fn outcome(&self) -> Outcome<'_>;
}

/// A verdict, whatever it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'a> {
    /// It holds, or the number that was asked for is known.
    Holds,
    /// It does not.
    Violated,
    /// It is not decided.
    Unknown(&'a Reason),
}

impl<A> Finding<A> {
    /// An answer whose evidence is not judged yet.
    pub(crate) fn new(answer: A, evidence: Evidence, why_engine: impl Into<String>) -> Self {
        Finding {
            answer,
            evidence,
            why_engine: why_engine.into(),
            certificate_file: None,
        }
    }

    /// An answer without a verdict, so without evidence.
    pub(crate) fn undecided(answer: A, why_engine: impl Into<String>) -> Self {
        let none = Evidence::NotChecked("there is none".to_owned());
        Finding::new(answer, none, why_engine)
    }

    /// Was the evidence not rejected?
    pub fn is_sound(&self) -> bool {
        !matches!(self.evidence, Evidence::Rejected(_))
    }

    /// For a report.
    pub(crate) fn checked(&self) -> Checked<'_, A> {
        Checked {
            answer: &self.answer,
            evidence: self.evidence.clone(),
            why_engine: self.why_engine.clone(),
            certificate_file: self.certificate_file.clone(),
        }
    }
}

impl<A: Answered> Finding<A> {
    /// How a run ends that found this and nothing else.
    pub fn status(&self) -> ExitStatus {
        match self.answer.outcome() {
            _ if !self.is_sound() => ExitStatus::Rejected,
            Outcome::Holds => ExitStatus::Holds,
            Outcome::Violated => ExitStatus::Violated,
            Outcome::Unknown(reason) => unknown_status(reason),
        }
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        match (&self.evidence, self.answer.outcome()) {
            (Evidence::Rejected(why), _) => Some(format!("its evidence was rejected: {why}")),
            (_, Outcome::Unknown(Reason::Internal(why))) => Some(why.clone()),
            _ => None,
        }
    }
}

impl Answered for Answer {
    type Claim = Claim;

    fn claim(&self) -> Claim {
        self.claim
    }

    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            Verdict::Holds(_) => Outcome::Holds,
            Verdict::Violated(_) => Outcome::Violated,
            Verdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

/// A claim that a limit left undecided.
pub(crate) struct Left<C> {
    /// The claim.
    pub claim: C,
    /// The engine that was at it.
    pub engine: &'static str,
    /// What is known of its work.
    pub run: Run,
    /// Why there is no verdict.
    pub why: &'static str,
}

/// What to say of the first claim that waited, which was being worked on.
const NOT_IN_TIME: &str = "the engine did not stop in time; these are its last numbers";

/// Takes all that waits. `known` is of the first.
pub(crate) fn left<C>(waiting: &mut Vec<C>, known: &Run) -> Vec<Left<C>> {
    let claims = std::mem::take(waiting).into_iter().enumerate();
    let left = claims.map(|(number, claim)| {
        let (engine, run, why) = match number {
            0 => ("auto", known.clone(), NOT_IN_TIME),
            _ => ("none", Run::default(), "no engine was left to decide it"),
        };
        Left {
            claim,
            engine,
            run,
            why,
        }
    });
    left.collect()
}

/// How a run ends that knows no verdict, for that reason.
pub(crate) fn unknown_status(reason: &Reason) -> ExitStatus {
    match reason {
        Reason::Timeout | Reason::Memory | Reason::Interrupted | Reason::Iterations => {
            ExitStatus::Limit
        }
        Reason::Rejected(_) => ExitStatus::Rejected,
        Reason::Internal(_) => ExitStatus::Internal,
        Reason::Unsupported(_) => ExitStatus::Unknown,
    }
}

/// From the worst; a violation is certain whatever else went wrong. Of two that are equally bad the first counts, as in the last
/// line.
pub(crate) fn badness(status: ExitStatus) -> u8 {
    match status {
        ExitStatus::Violated => 0,
        ExitStatus::Rejected => 1,
        ExitStatus::Holds => 3,
        _ => 2,
    }
}
