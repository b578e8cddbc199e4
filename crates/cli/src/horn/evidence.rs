//! Puts definitions and derivations before the independent checker.

use std::sync::Arc;

use suppose_certify::{Rejection, horn};
use suppose_refine::{Context, Stopped};
use suppose_report::{Evidence, HornVerdict};
use suppose_smt::pipe::Tool;

use super::race::Reply;
use super::{HornFinding, HornSubject, peers};
use crate::commands::Desk;
use crate::findings::Finding;
use crate::watch::catch;

/// How evidence is looked at.
pub struct Judges {
    /// Not at all.
    pub none: bool,
    /// By these solvers as well.
    pub tools: Vec<Tool>,
}

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose
/// evidence was not checked.
pub fn judge(subject: &HornSubject, reply: Reply, judges: &Judges, desk: &Desk) -> HornFinding {
    let Reply { mut answer, why } = reply;
    let mut confirmed = Vec::new();
    let evidence = match (&answer.verdict, judges.none) {
        (HornVerdict::Unknown { .. }, _) => Evidence::NotChecked("there is none".to_owned()),
        (_, true) => Evidence::NotChecked("the command line says --no-certify".to_owned()),
        (verdict, false) => {
            desk.counters.begin("checking the evidence");
            let checked = look(subject, verdict, judges, desk, &mut confirmed);
            match checked {
                Ok(evidence) => evidence,
                Err(stopped) => {
                    let word = match verdict {
                        HornVerdict::Holds(_) => "holds",
                        _ => "violated",
                    };
                    answer.verdict = HornVerdict::Unknown {
                        reason: stopped.into(),
                        bound: None,
                        candidates: None,
                    };
                    let why =
                        format!("the limit came before the evidence for `{word}` was checked");
                    Evidence::NotChecked(why)
                }
            }
        }
    };
    HornFinding {
        found: Finding {
            answer,
            evidence,
            why_engine: why,
            certificate_file: None,
        },
        confirmed,
    }
}

fn look(
    subject: &HornSubject,
    verdict: &HornVerdict,
    judges: &Judges,
    desk: &Desk,
    confirmed: &mut Vec<String>,
) -> Result<Evidence, Stopped> {
    let control = desk.watch.fresh();
    let mut stop = || control.stopped().is_some();
    match catch(|| check(subject, verdict, &mut stop)) {
        Err(message) => {
            let why = format!("the checker failed: {message}");
            return Ok(Evidence::Rejected(why));
        }
        Ok(Err(Rejection::Stopped)) => {
            return Err(control.stopped().unwrap_or(Stopped::Timeout));
        }
        Ok(Err(flawed)) => return Ok(Evidence::Rejected(flawed.to_string())),
        Ok(Ok(())) => {}
    }
    if let HornVerdict::Holds(proof) = verdict {
        for tool in &judges.tools {
            desk.counters.begin(&format!("asking {}", tool.name()));
            let cx = Context::new(Arc::clone(&control), Arc::clone(&desk.counters) as _);
            match peers::ask(tool, &subject.horn, proof, &cx)? {
                Ok(line) => confirmed.push(line),
                Err(refuted) => return Ok(Evidence::Rejected(refuted)),
            }
        }
    }
    Ok(Evidence::Accepted)
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
            horn::check_derivation(&subject.horn, derivation).map(|_| ())
        }
    }
}
