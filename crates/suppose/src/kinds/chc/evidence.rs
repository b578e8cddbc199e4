//! Puts definitions and derivations before the independent checker.

use std::sync::Arc;

use suppose_certify::{Rejection, chc};
use suppose_control::{Context, Stopped, catch};
use suppose_report::{Evidence, HornVerdict};
use suppose_smt::pipe::Tool;

use super::race::Reply;
use super::read::ClauseSystem;
use super::{Claimed, peers};
use crate::finding::Finding;
use crate::session::Session;

/// How evidence is looked at.
pub struct Judges {
    /// Not at all.
    pub none: bool,
    /// By these solvers as well.
    pub tools: Vec<Tool>,
}

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose
/// evidence was not checked.
pub fn judge(
    subject: &ClauseSystem,
    reply: Reply,
    judges: &Judges,
    session: &Session,
) -> Finding<Claimed> {
    let Reply { mut answer, why } = reply;
    let mut confirmed = Vec::new();
    let evidence = match (&answer.verdict, judges.none) {
        (HornVerdict::Unknown { .. }, _) => Evidence::NotChecked("there is none".to_owned()),
        (_, true) => Evidence::NotChecked("the command line says --no-certify".to_owned()),
        (verdict, false) => {
            session.counters.begin("checking the evidence");
            let checked = look(subject, verdict, judges, session, &mut confirmed);
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
                        format!("a limit was reached before the evidence for `{word}` was checked");
                    Evidence::NotChecked(why)
                }
            }
        }
    };
    let answer = Claimed {
        claim: subject.claim(),
        answer,
        confirmed,
    };
    Finding::new(answer, evidence, why)
}

fn look(
    subject: &ClauseSystem,
    verdict: &HornVerdict,
    judges: &Judges,
    session: &Session,
    confirmed: &mut Vec<String>,
) -> Result<Evidence, Stopped> {
    let control = session.watch.fresh();
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
            session.counters.begin(&format!("asking {}", tool.name()));
            let cx = Context::new(Arc::clone(&control), Arc::clone(&session.counters) as _);
            match peers::ask(tool, &subject.horn, proof, &cx)? {
                Ok(line) => confirmed.push(line),
                Err(refuted) => return Ok(Evidence::Rejected(refuted)),
            }
        }
    }
    Ok(Evidence::Accepted)
}

fn check(
    subject: &ClauseSystem,
    verdict: &HornVerdict,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    match verdict {
        HornVerdict::Unknown { .. } => Ok(()),
        HornVerdict::Holds(proof) => chc::check_definitions(&subject.horn, proof, stop).map(|_| ()),
        HornVerdict::Violated { derivation, .. } => {
            chc::check_derivation(&subject.horn, derivation).map(|_| ())
        }
    }
}
