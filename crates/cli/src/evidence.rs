//! Puts evidence before the independent checker.

use std::sync::Arc;

use suppose_certify::Rejection;
use suppose_model::lts::Network;
use suppose_model::{Answer, Reason, Verdict};
use suppose_refine::{Context, Control, Silent};
use suppose_report::Evidence;

use crate::watch::{Watch, catch};

/// Checks the evidence of an answer. When a limit comes first, there is no verdict: none is shown
/// whose evidence was not checked.
pub fn examine(network: &Network, mut answer: Answer, watch: &Watch) -> (Answer, Evidence) {
    let control = watch.fresh();
    let result = catch(|| check(network, &answer.verdict, &control));
    let evidence = match result {
        Err(message) => Evidence::Rejected(format!("the checker failed: {message}")),
        Ok(None) => Evidence::NotChecked("there is none".to_owned()),
        Ok(Some(Ok(()))) => Evidence::Accepted,
        Ok(Some(Err(Rejection::Flawed(flaw)))) => {
            Evidence::Rejected(Rejection::Flawed(flaw).to_string())
        }
        Ok(Some(Err(Rejection::Stopped))) => {
            let reason = control.stopped().map_or(Reason::Timeout, Reason::from);
            let word = match answer.verdict {
                Verdict::Holds(_) => "holds",
                _ => "violated",
            };
            answer.verdict = Verdict::Unknown(reason);
            let why = format!("the limit came before the evidence for `{word}` was checked");
            Evidence::NotChecked(why)
        }
    };
    (answer, evidence)
}

fn check(
    network: &Network,
    verdict: &Verdict,
    control: &Arc<Control>,
) -> Option<Result<(), Rejection>> {
    match verdict {
        Verdict::Unknown(_) => None,
        Verdict::Violated(found) => Some(suppose_certify::counterexample(network, found)),
        Verdict::Holds(proof) => {
            let cx = Context::new(Arc::clone(control), Arc::new(Silent));
            if let Err(why) = cx.reserve(suppose_certify::working_memory(proof)) {
                control.stop(why);
            }
            let mut stop = || control.stopped().is_some();
            Some(suppose_certify::certificate(network, proof, &mut stop).map(|_| ()))
        }
    }
}
