//! The exit status of findings, and claims that are left open.

use suppose_model::{Answered, EvidenceStatus, Finding, Outcome, Reason, Run};

use crate::exit::ExitStatus;
use crate::progress::Counters;

/// The exit status of a run with this finding only.
pub(crate) fn status<A: Answered>(finding: &Finding<A>) -> ExitStatus {
    match finding.answer.outcome() {
        _ if !finding.is_sound() => ExitStatus::Rejected,
        Outcome::Holds => ExitStatus::Holds,
        Outcome::Violated => ExitStatus::Violated,
        Outcome::Unknown(reason) => unknown_status(reason),
    }
}

/// The internal error that a finding shows, if any.
pub(crate) fn bug<A: Answered>(finding: &Finding<A>) -> Option<String> {
    match (&finding.evidence, finding.answer.outcome()) {
        (EvidenceStatus::Rejected(why), _) => Some(format!("its evidence was rejected: {why}")),
        (_, Outcome::Unknown(Reason::Internal(why))) => Some(why.clone()),
        _ => None,
    }
}

/// A claim that a limit left undecided.
pub(crate) struct OpenClaim<'a, C> {
    /// The claim.
    pub claim: C,
    /// The engine that was working on it.
    pub engine: &'static str,
    /// Its work so far.
    pub run: Run,
    /// The limit, or what else ended the run.
    pub reason: Reason,
    /// Why there is no verdict, for people.
    pub why: &'static str,
    /// How far the engines of the run have got.
    pub counters: &'a Counters,
}

/// Why the claim that was being worked on has no verdict.
const NOT_IN_TIME: &str = "the engine did not stop in time; these are its last numbers";

/// Takes all claims that wait. What was counted so far is the work on the first.
pub(crate) fn open_claims<'a, C>(
    waiting: &mut Vec<C>,
    reason: &Reason,
    counters: &'a Counters,
) -> Vec<OpenClaim<'a, C>> {
    let claims = std::mem::take(waiting).into_iter().enumerate();
    let open = claims.map(|(number, claim)| {
        let (engine, run, why) = match number {
            0 => ("auto", counters.run(), NOT_IN_TIME),
            _ => ("none", Run::default(), "no engine was left to decide it"),
        };
        OpenClaim {
            claim,
            engine,
            run,
            reason: reason.clone(),
            why,
            counters,
        }
    });
    open.collect()
}

/// The exit status for a claim without a verdict.
pub(crate) fn unknown_status(reason: &Reason) -> ExitStatus {
    match reason {
        Reason::Timeout
        | Reason::Memory
        | Reason::Disk(_)
        | Reason::Interrupted
        | Reason::Iterations => ExitStatus::Limit,
        Reason::Rejected(_) => ExitStatus::Rejected,
        Reason::Internal(_) => ExitStatus::Internal,
        Reason::Unsupported(_) => ExitStatus::Unknown,
    }
}

/// The rank of a status, worst first; a violation is certain whatever else failed. Of two with the same rank
/// the first counts, as in the last line.
pub(crate) fn severity(status: ExitStatus) -> u8 {
    match status {
        ExitStatus::Violated => 0,
        ExitStatus::Rejected => 1,
        ExitStatus::Holds => 3,
        _ => 2,
    }
}
