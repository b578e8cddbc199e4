//! Puts what was found out about a program before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::program::{Looked, exhaustive, run};
use suppose_model::Reason;
use suppose_model::program::Program;
use suppose_report::{Evidence, ProgramAnswer, ProgramVerdict, grouped};

use crate::watch::{Watch, catch};

/// Programs of so many states are searched again.
const AGAIN: u64 = 1_000;
/// The second search has no reductions, so it may meet so many.
const AGAIN_PLAIN: u64 = 5_000;

/// Checks the evidence of a search.
pub fn examine(
    program: &Program,
    mut answer: ProgramAnswer,
    recheck: bool,
    watch: &Watch,
) -> (ProgramAnswer, Evidence) {
    let control = watch.fresh();
    let mut stop = || control.stopped().is_some();
    let limit = if recheck { u64::MAX } else { AGAIN_PLAIN };
    let checked = catch(|| match &answer.verdict {
        ProgramVerdict::Violated(trace) => run(program, trace).map(|()| Evidence::Accepted),
        ProgramVerdict::Exhausted if recheck || answer.run.states <= AGAIN => {
            let looked = exhaustive(program, answer.question, limit, &mut stop)?;
            Ok(match looked {
                Looked::All { .. } => Evidence::Accepted,
                Looked::TooMany => too_many(AGAIN_PLAIN),
            })
        }
        ProgramVerdict::Exhausted => Ok(too_many(AGAIN)),
        _ => Ok(Evidence::NotChecked("there is none".to_owned())),
    });
    let evidence = match checked {
        Ok(Ok(evidence)) => evidence,
        Err(message) => Evidence::Rejected(format!("the checker failed: {message}")),
        Ok(Err(Rejection::Flawed(flaw))) => Evidence::Rejected(Rejection::Flawed(flaw).to_string()),
        Ok(Err(Rejection::Stopped)) => {
            let reason = control.stopped().map_or(Reason::Timeout, Reason::from);
            answer.verdict = ProgramVerdict::Unknown(reason);
            Evidence::NotChecked("the limit came before the second look was done".to_owned())
        }
    };
    (answer, evidence)
}

fn too_many(states: u64) -> Evidence {
    Evidence::NotChecked(format!(
        "not again, for there are more than {}; --recheck does (slow)",
        grouped(states)
    ))
}
