//! Puts definitions and derivations before the independent checker.

use suppose_certify::{Rejection, horn};
use suppose_model::Reason;
use suppose_report::{Evidence, HornVerdict};

use super::race::Reply;
use super::{HornFinding, HornSubject};
use crate::args::CheckArgs;
use crate::commands::Desk;
use crate::watch::catch;

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose
/// evidence was not checked.
pub fn judge(subject: &HornSubject, reply: Reply, args: &CheckArgs, desk: &Desk) -> HornFinding {
    let Reply { mut answer, why } = reply;
    let evidence = match (&answer.verdict, args.no_certify) {
        (HornVerdict::Unknown { .. }, _) => Evidence::NotChecked("there is none".to_owned()),
        (_, true) => Evidence::NotChecked("the command line says --no-certify".to_owned()),
        (verdict, false) => {
            desk.counters.begin("checking the evidence");
            let control = desk.watch.fresh();
            let mut stop = || control.stopped().is_some();
            match catch(|| check(subject, verdict, &mut stop)) {
                Err(message) => Evidence::Rejected(format!("the checker failed: {message}")),
                Ok(Ok(())) => Evidence::Accepted,
                Ok(Err(Rejection::Stopped)) => {
                    let word = match verdict {
                        HornVerdict::Holds(_) => "holds",
                        _ => "violated",
                    };
                    answer.verdict = HornVerdict::Unknown {
                        reason: control.stopped().map_or(Reason::Timeout, Reason::from),
                        bound: None,
                        candidates: None,
                    };
                    let why =
                        format!("the limit came before the evidence for `{word}` was checked");
                    Evidence::NotChecked(why)
                }
                Ok(Err(flawed)) => Evidence::Rejected(flawed.to_string()),
            }
        }
    };
    HornFinding {
        answer,
        evidence,
        confirmed: Vec::new(),
        why_engine: why,
        certificate_file: None,
    }
}

fn check(
    subject: &HornSubject,
    verdict: &HornVerdict,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    match verdict {
        HornVerdict::Unknown { .. } => Ok(()),
        HornVerdict::Holds(proof) => {
            horn::check_definitions(&subject.horn, proof, stop).map(|_| ())
        }
        HornVerdict::Violated { derivation, .. } => {
            horn::check_derivation(&subject.horn, derivation)
        }
    }
}
