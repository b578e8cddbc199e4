//! Puts what was found out about a program before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::program::{Reexploration, cannot_fail, exhaustive, run};
use suppose_control::catch;
use suppose_model::program::{Answer, Program, Proof, Verdict};
use suppose_model::{EvidenceStatus, Reason};
use suppose_report::grouped;

use crate::watch::Watch;

/// Programs of so many states are searched again.
const AGAIN: u64 = 1_000;
/// The second search has no reductions, so it may meet so many.
const AGAIN_PLAIN: u64 = 5_000;

/// And so many values of variables in all of them: they are kept as they are.
const AGAIN_VALUES: u64 = 20_000_000;

/// How many values a state of the program has at the start.
fn size(program: &Program) -> u64 {
    let locals = |p: &suppose_model::program::Start| {
        let text = program.proctypes.get(p.proctype as usize);
        text.map_or(0, |t| t.locals.len())
    };
    let own: usize = program.start.iter().map(locals).sum();
    (program.globals.len() + own) as u64
}

/// Checks the evidence of a search.
pub fn examine(
    program: &Program,
    mut answer: Answer,
    recheck: bool,
    watch: &Watch,
) -> (Answer, EvidenceStatus) {
    let control = watch.fresh();
    let mut stop = || control.stopped().is_some();
    let fitting = (AGAIN_VALUES * 2 / size(program).max(1)).min(AGAIN_PLAIN);
    let limit = if recheck { u64::MAX } else { fitting };
    let checked = catch(|| match &answer.verdict {
        Verdict::Violated(trace) => run(program, trace).map(|()| EvidenceStatus::Accepted),
        Verdict::Holds(Proof::CannotFail) => match cannot_fail(program) {
            true => Ok(EvidenceStatus::Accepted),
            false => Ok(EvidenceStatus::Rejected("a statement can fail".to_owned())),
        },
        Verdict::Holds(Proof::Exhaustive)
            if recheck
                || answer.run.states <= AGAIN
                    && answer.run.states * size(program) <= AGAIN_VALUES =>
        {
            let looked = exhaustive(program, answer.claim, limit, &mut stop)?;
            Ok(match looked {
                Reexploration::All { .. } => EvidenceStatus::Accepted,
                Reexploration::TooMany => too_many(AGAIN_PLAIN),
                Reexploration::TooLong => {
                    EvidenceStatus::NotChecked("a d_step is too long".to_owned())
                }
            })
        }
        Verdict::Holds(Proof::Exhaustive) => Ok(too_many(AGAIN)),
        _ => Ok(EvidenceStatus::NotChecked("there is none".to_owned())),
    });
    let evidence = match checked {
        Ok(Ok(evidence)) => evidence,
        Err(message) => EvidenceStatus::Rejected(format!("the checker failed: {message}")),
        Ok(Err(Rejection::Flawed(flaw))) => {
            EvidenceStatus::Rejected(Rejection::Flawed(flaw).to_string())
        }
        Ok(Err(Rejection::Stopped)) => {
            let reason = control.stopped().map_or(Reason::Timeout, Reason::from);
            answer.verdict = Verdict::Unknown(reason);
            EvidenceStatus::NotChecked(
                "a limit was reached before the second exploration was finished".to_owned(),
            )
        }
    };
    (answer, evidence)
}

fn too_many(states: u64) -> EvidenceStatus {
    EvidenceStatus::NotChecked(format!(
        "not again, for there are more than {}; --recheck does (slow)",
        grouped(states)
    ))
}
